/** The texts of the preview of a story. */
const preview = {
  previewTitle: 'Preview',
  previewFrame: 'Preview of {name}',
  previewEnvironment: 'Environment',
  previewDefault: 'Default',
  previewLanguage: 'Language',
  previewWidth: 'Width',
  previewWidthFill: 'Full width',
  previewWidthPhone: 'Phone, 375',
  previewWidthTablet: 'Tablet, 768',
  previewWidthDesktop: 'Desktop, 1280',
  previewWidthOwn: 'Own width',
  previewOwnWidth: 'Own width in pixels',
  previewLive: 'Live',
  previewLiveHint: 'Shows each key. Without it the page loads again when you save.',
  previewReload: 'Load the preview again',
  previewOpen: 'Open in a tab',
  previewLeave: 'Out of the preview',

  // What stands in the way
  previewNone: 'No preview yet',
  previewNoneLead: 'Name the address of your site, and every story is shown in it while you write.',
  previewNoneAsk: 'An admin of this space names the address of your site here. Then every story is shown in it while you write.',
  previewLocation: 'Address of your site',
  previewLocationHint: 'The path of the story follows it: https://www.example.com/ or http://localhost:3000/',
  previewLocationWrong: 'This is no web address. It begins with https:// or http://.',
  previewLocationOwn: 'This is the address of the studio itself. A preview needs another one.',
  previewLocationSet: 'Show it',
  previewNoToken: 'Previews of this space are not signed, so sites that check the signature refuse them.',
  previewNoTokenAsk: 'An admin can make a preview token.',
  previewMakeToken: 'Make a preview token',
  previewTokenName: 'Preview in the studio',
  previewTokenProof: 'For this you have to have signed in within the last minutes. Sign out, sign in again, and make it then.',
  previewInsecure: 'The studio is open over https and this site is not. Browsers do not show it here. Give the site https, or open it in a tab.',
  previewLocal: 'This address is that of your own computer or network. Your browser may ask whether the studio may use it, and shows nothing until you allow it.',
  previewBlocked: 'The page leads on to {origin}, which is no environment of this space. An admin can add it with the Management API (“environments” of the space).',
  previewBlockedOwn: 'The environments of this space have changed. Load the studio again to see this one.',
  previewStudioReload: 'Load the studio again',

  // What the server has seen of the page
  previewUnknown: 'The studio hears nothing of this page, and its server may not look at it. Is the site running, and may it be framed? If you see it, its developers add this line before the other scripts of the page:',
  previewUnreachable: 'The page does not answer. Is the site running?',
  previewStatus: 'The page answers with an error ({status}). Does the site know this path? Is its preview switched on?',
  previewStatusSecret: 'The page answers with an error ({status}). It wants a password or a secret. An admin can write the secret into the address of the environment, with the Management API (“domain” and “environments” of the space).',
  previewRefuses: 'The site forbids to be shown here: it sends {header} with “{value}”.',
  previewRefusesOptions: 'Its developers take this header away, and send this one instead:',
  previewRefusesPolicy: 'Its developers add the studio to this list:',

  // One-way
  previewOneWay: 'The page shows what you type, but a click in it does not reach the studio. Its developers add this line before the other scripts of the page:',
  previewCopy: 'Copy',
  previewCopied: 'Copied.',
  previewHide: 'Hide',

  // Elsewhere
  previewElsewhere: 'You have gone on to another page.',
  previewBack: 'Back to this story',
  previewOther: 'This block belongs to the story {name}.',
  previewOtherUnknown: 'This block belongs to another story.',
  previewOpenOther: 'Open it',
  previewStay: 'Stay here',
};
export default preview;
