// Files to upload, made here: pictures of any size in one colour, and what is not what it says.

import { crc32, deflateSync } from 'node:zlib';

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const head = Buffer.alloc(4);
  const sum = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, sum]);
}

/** A picture whose left half has one colour and whose right half has another, as PNG. */
export function png(width, height, [left, right] = [[45, 79, 196], [23, 100, 58]]) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a channel, red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: width }, (_, x) => Buffer.from(x < width / 2 ? left : right))]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

export const picture = (name, width = 64, height = 48) => ({ name, mimeType: 'image/png', buffer: png(width, height) });
export const document = (name, bytes = 100) => ({ name, mimeType: 'text/plain', buffer: Buffer.alloc(bytes, 'a') });
/** It begins as a picture does. */
export const brokenPicture = (name) => ({ name, mimeType: 'image/png', buffer: png(64, 48).subarray(0, 60) });

/** Puts a file into the library of a space by the API, and gives the asset. */
export async function upload(person, space, file, fields = {}) {
  const { csrfToken } = await (await person.context.request.get(`${person.origin}/api/csrf-token`)).json();
  const answer = await person.context.request.post(`${person.origin}/api/v1/spaces/${space}/assets`, {
    headers: { 'x-csrf-token': csrfToken },
    multipart: { ...fields, file },
  });
  if (!answer.ok()) throw new Error(`${file.name}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}
