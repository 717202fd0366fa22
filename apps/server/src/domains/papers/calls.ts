import * as quality from '@zhugong/contract/papers/quality'
import * as safety from '@zhugong/contract/papers/safety'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Serve } from '#kit/serve'
import { registerPlaceUse } from '../places/public.ts'
import { listLinkable, readQualityCell } from './cell.ts'
import { createSafetyPaper, exemptDuty, linkSafetyRecord, listSafety, listSafetyRecords, setSafetySince } from './duty-calls.ts'
import { listQuality } from './matrix.ts'
import { changePaper, createQualityPaper, linkQualityRecord, removePaper } from './writes.ts'

export function paperRoutes(serve: Serve): void {
  registerPlaceUse(placesOfPapers)
  serve(quality.listQuality, listQuality)
  serve(quality.readQualityCell, readQualityCell)
  serve(quality.listLinkable, listLinkable)
  serve(quality.createQualityPaper, createQualityPaper)
  serve(quality.linkQualityRecord, linkQualityRecord)
  serve(quality.changePaper, changePaper)
  serve(quality.removePaper, removePaper)
  serve(safety.listSafety, listSafety)
  serve(safety.listSafetyRecords, listSafetyRecords)
  serve(safety.createSafetyPaper, createSafetyPaper)
  serve(safety.linkSafetyRecord, linkSafetyRecord)
  serve(safety.exemptDuty, exemptDuty)
  serve(safety.setSafetySince, setSafetySince)
}

async function placesOfPapers(ctx: Pick<Context, 'db'>, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ placeId: string }>`select distinct place_id from library_paper where place_id = any (${[...ids]})`.execute(
    ctx.db,
  )
  return rows.map((one) => one.placeId)
}
