import * as activities from '@zhugong/contract/experts/activities'
import * as draws from '@zhugong/contract/experts/draws'
import * as library from '@zhugong/contract/experts/library'
import * as scores from '@zhugong/contract/experts/scores'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { offersFor } from '../process/public.ts'
import * as activityCalls from './activity-calls.ts'
import * as activityRows from './activity-rows.ts'
import { countCandidates } from './candidates.ts'
import { readExpert } from './detail.ts'
import * as drawCalls from './draw-calls.ts'
import { readDraw } from './draw-detail.ts'
import * as drawRows from './draw-rows.ts'
import { readLibrary, writeLibrary } from './library.ts'
import * as register from './register.ts'
import * as rows from './rows.ts'
import * as scoreCalls from './score-calls.ts'
import * as tripCalls from './trip-calls.ts'
import * as tripRows from './trip-rows.ts'

export function expertRoutes(serve: Serve): void {
  serve(library.listExperts, listExperts)
  serve(library.getLibrary, readLibrary)
  serve(library.saveLibrary, writeLibrary)
  serve(library.getExpert, readExpert)
  serve(library.createExpert, register.register)
  serve(library.changeExpert, register.change)
  serve(library.unmaskExpert, register.unmask)
  serve(draws.listDraws, listDraws)
  serve(draws.drawCandidates, countCandidates)
  serve(draws.getDraw, readDraw)
  serve(draws.verifyDraw, drawCalls.verify)
  serve(draws.freezeDraw, drawCalls.freeze)
  serve(draws.changeDraw, drawCalls.change)
  serve(activities.listActivities, listActivities)
  serve(activities.listTrips, listTrips)
  serve(activities.createTrip, tripCalls.create)
  serve(activities.changeTrip, tripCalls.change)
  serve(activities.getActivity, activityCalls.readActivity)
  serve(activities.createActivity, activityCalls.create)
  serve(activities.changeActivity, activityCalls.change)
  serve(scores.listYearScores, scoreCalls.years)
  serve(scores.listPendingScores, scoreCalls.pending)
  serve(scores.giveScore, scoreCalls.give)
  serve(scores.freezeYear, scoreCalls.freeze)
  serve(scores.correctScore, scoreCalls.correct)
  serve(scores.getEvaluation, scoreCalls.evaluation)
  serve(scores.appealScore, scoreCalls.appeal)
}

const listExperts: HandlerOf<typeof library.listExperts> = async ({ query }, ctx) => ({
  list: await rows.readRows(ctx, query, pageSlice(query)),
  total: await rows.countRows(ctx, query),
  counts: { ...(await rows.countsOf(ctx)), draws: await drawRows.countRows(ctx, { thisYear: true }) },
})

const listDraws: HandlerOf<typeof draws.listDraws> = async ({ query }, ctx) => ({
  list: await drawRows.readRows(ctx, query, pageSlice(query)),
  total: await drawRows.countRows(ctx, query),
})

const listActivities: HandlerOf<typeof activities.listActivities> = async ({ query }, ctx) => ({
  list: await activityRows.readRows(ctx, query, pageSlice(query)),
  total: await activityRows.countRows(ctx, query),
  counts: await activityRows.countsOf(ctx),
})

const listTrips: HandlerOf<typeof activities.listTrips> = async ({ query }, ctx) => ({
  list: await tripRows.readRows(ctx, query, pageSlice(query), (row) => offersFor(ctx, tripRows.tripKind, row)),
  total: await tripRows.countRows(ctx, query),
  counts: await tripRows.countsOf(ctx),
})
