// What the server says of previews: the words that the client of the API and the preview share.

/** What signs the address of a preview. */
export interface PreviewToken {
  readonly token: string;
  /** Unix seconds, as text. */
  readonly timestamp: string;
}

/** What the server has seen of a page. */
export interface PageCheck {
  /** Nothing where the server may not look, such as at private addresses. */
  readonly reachable: boolean | null;
  readonly status: number | null;
  readonly x_frame_options: string | null;
  /** Of each policy that has the directive; all of them have to allow the frame. */
  readonly frame_ancestors: readonly string[];
  /** Why there is no status. */
  readonly reason: string | null;
}
