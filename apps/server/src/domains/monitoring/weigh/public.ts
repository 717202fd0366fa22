import { ticketStatus, weighType } from '@zhugong/contract/monitoring/weigh/weigh-codes'
import type { ListContext } from '../../exports/registry.ts'
import { toTicket } from './ticket.ts'
import { ticketBy } from './ticket-store.ts'

/** A ticket for the records that refer to it, if the caller may see it. @throws AppError `notFound` */
export async function weighedTicket(ctx: ListContext, key: string) {
  const ticket = toTicket(await ticketBy(ctx, key), ctx.clock.now())
  return { ...ticket, complete: ticket.status === ticketStatus.done, inward: ticket.weighType === weighType.inward }
}
