// Whether a picture can be read.

/** Pictures that every browser can read, so that one that this browser cannot is broken. */
const READABLE = /^image\/(png|jpeg|gif|webp)$/;

/** Whether a file is a picture that cannot be read. */
export async function isBroken(file: File): Promise<boolean> {
  if (!READABLE.test(file.type)) return false;
  try {
    (await createImageBitmap(file)).close();
    return false;
  } catch {
    return true;
  }
}
