// For svelte-check and the compiler alike: runes everywhere, and no text of a component in the page's style attribute.
export default { compilerOptions: { runes: true } };
