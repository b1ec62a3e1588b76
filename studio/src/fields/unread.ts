// What a person is told of options of another server that cannot be read.

import type { Unread, UnreadReason } from '../model/unread.ts';
import { fill, type Texts } from '../texts/texts.ts';

export function unreadSentence({ reason, message }: Unread, t: Texts): string {
  const reasons: Record<UnreadReason, string> = {
    blocked: t.unreadBlocked,
    timedOut: t.unreadTimedOut,
    tooLarge: t.unreadTooLarge,
    noList: t.unreadNoList,
    unavailable: t.unreadUnavailable,
    often: t.unreadOften,
    busy: t.unreadBusy,
    schema: t.unreadSchema,
    offline: t.unreadOffline,
    failed: t.unreadFailed,
  };
  return fill(reasons[reason], { message });
}
