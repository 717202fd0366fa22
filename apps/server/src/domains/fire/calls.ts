import * as fire from '@zhugong/contract/fire/calls'
import { fireDashboard } from '@zhugong/contract/fire/dashboard'
import { fireItemsOf, writeFirePoint, writeFireSub } from '@zhugong/contract/fire/points'
import { signFire } from '@zhugong/contract/fire/seats'
import { changeFireItem, changeFirePlace, listFireItems, listFirePlaces } from '@zhugong/contract/fire/settings'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { sign } from '../process/public.ts'
import { changeItem, listItems } from './catalogue.ts'
import { readDashboard } from './dashboard.ts'
import { readDetail, readSetup } from './detail.ts'
import { acceptSeveral, drawCases, verifyDraw } from './draw.ts'
import { fireKind } from './kind.ts'
import { changePlace, listPlaces } from './places.ts'
import { readPoints, writePoint, writeSub } from './points.ts'
import { countCases, fireConditions, fireCounts, readCases } from './rows.ts'
import { changeCase, createCase, removeCase } from './writes.ts'

export function fireRoutes(serve: Serve): void {
  serve(fire.listFire, listCases)
  serve(fire.fireSetup, readSetup)
  serve(fireDashboard, readDashboard)
  serve(fire.acceptFires, acceptSeveral)
  serve(fire.drawFires, drawCases)
  serve(fire.verifyFireDraw, verifyDraw)
  serve(fire.getFire, ({ params }, ctx) => readDetail(ctx, params.id))
  serve(fire.createFire, createCase)
  serve(fire.changeFire, changeCase)
  serve(fire.removeFire, ({ params }, ctx) => removeCase(ctx, params.id))
  serve(signFire, ({ params, body }, ctx) => sign(ctx, fireKind, params.id, body).then(() => undefined))
  serve(fireItemsOf, readPoints)
  serve(writeFirePoint, writePoint)
  serve(writeFireSub, writeSub)
  serve(listFireItems, listItems)
  serve(changeFireItem, changeItem)
  serve(listFirePlaces, listPlaces)
  serve(changeFirePlace, changePlace)
}

const listCases: HandlerOf<typeof fire.listFire> = async ({ query }, ctx) => {
  const where = await fireConditions(ctx, query)
  return {
    list: await readCases(ctx, where, { sort: query.sort, ...pageSlice(query) }),
    total: await countCases(ctx, where),
    counts: await fireCounts(ctx, query),
  }
}
