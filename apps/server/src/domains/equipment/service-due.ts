import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import type { Context } from '#kit/context'

/**
 * 服务到期 of a device is its due item of kind `service`; the device's own column is a copy for lists. Writing the date at the device also
 * writes the item. A new date starts a new term without reminders sent; no date ends it.
 */
export async function keepServiceDue(
  ctx: Pick<Context, 'db' | 'clock' | 'newId'>,
  device: { id: string; projectCode: string },
  dueDate: string | null,
): Promise<void> {
  if (dueDate === null) {
    await sql`delete from device_due where device_id = ${device.id} and kind = 'service'`.execute(ctx.db)
    return
  }
  await sql`insert into device_due (id, device_id, project_code, kind, due_date, create_time)
    values (${ctx.newId()}, ${device.id}, ${device.projectCode}, 'service', ${dueDate}, ${new Date(ctx.clock.now())})
    on conflict (device_id, kind) do update set due_date = excluded.due_date, notice_state = '0', noticed_at = null, noticed_to = null, version = device_due.version + 1
    where device_due.due_date <> excluded.due_date`.execute(ctx.db)
}

/** Copies the date to the device after the item was written. */
export async function copyServiceDue(ctx: Pick<Context, 'db' | 'clock'>, deviceId: string, dueDate: string): Promise<void> {
  await changeRow(ctx, 'device', { key: { id: deviceId }, version: null, noun: '设备', by: null, values: { dueDate } })
}
