import type { ClaimedWebhook } from '../../push/outbox/push-outbox.js';
import type { PushConfigRecord } from '../../push/push-notification-config-store.js';

/** A webhook as it is claimed. */
export interface WebhookRow {
  readonly uid: string;
  /** A {@link PushConfigRecord} in JSON. */
  readonly config: string;
  readonly delivered_seq: number;
  readonly target_seq: number;
  readonly resend_seq: number | null;
  readonly worker: string | null;
}

/** The columns of a {@link WebhookRow}. */
export function webhookColumns(table = ''): string {
  const columns = ['uid', 'config', 'delivered_seq', 'target_seq', 'resend_seq', 'worker'];
  return columns.map((column) => (table === '' ? column : `${table}.${column}`)).join(', ');
}

export function toRecord({ config }: Pick<WebhookRow, 'config'>): PushConfigRecord {
  return JSON.parse(config) as PushConfigRecord;
}

export function toClaim(row: WebhookRow): ClaimedWebhook {
  return {
    uid: row.uid,
    record: toRecord(row),
    delivered: row.delivered_seq,
    target: row.target_seq,
    ...(row.resend_seq !== null && { resend: row.resend_seq }),
  };
}
