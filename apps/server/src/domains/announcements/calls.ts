import * as contract from '@zhugong/contract/announcements/calls'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf, Serve } from '#kit/serve'
import { soundLines, targetsOf } from './reach.ts'
import { markAnnouncements, readAnnouncement, signAnnouncement } from './read.ts'
import { listReceipts } from './receipts.ts'
import { previewOf } from './recipients.ts'
import { listAnnouncements } from './rows.ts'
import { changeAnnouncement, createAnnouncement, removeAnnouncement } from './writes.ts'

export function announcementRoutes(serve: Serve): void {
  serve(contract.listAnnouncements, listAnnouncements)
  serve(contract.listReceipts, listReceipts)
  serve(contract.noticeTargets, listTargets)
  serve(contract.getAnnouncement, readAnnouncement)
  serve(contract.previewRecipients, previewRecipients)
  serve(contract.createAnnouncement, createAnnouncement)
  serve(contract.changeAnnouncement, changeAnnouncement)
  serve(contract.signAnnouncement, signAnnouncement)
  serve(contract.markAnnouncements, markAnnouncements)
  serve(contract.removeAnnouncement, removeAnnouncement)
}

const listTargets: HandlerOf<typeof contract.noticeTargets> = async ({ query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  return targetsOf(ctx)
}

const previewRecipients: HandlerOf<typeof contract.previewRecipients> = async ({ query, body }, ctx) => {
  await seesProject(ctx, query.projectCode)
  return previewOf(ctx, await soundLines(ctx, body.lines))
}
