import * as contract from '@zhugong/contract/onboarding/endpoints'
import * as links from '@zhugong/contract/onboarding/links'
import * as openings from '@zhugong/contract/onboarding/openings'
import { onboardingSteps, type StepKey, stepStates } from '@zhugong/contract/onboarding/steps'
import { pageSlice } from '#kit/list'
import type { Serve } from '#kit/serve'
import { exportOf } from '../exports/registry.ts'
import { changeOnboarding } from './changes.ts'
import { callContact } from './contact.ts'
import { getOnboarding } from './detail.ts'
import { acceptLink, changeLink, createLink, listLinks, openLink } from './links.ts'
import { openingResult } from './opening/result.ts'
import { actOnOpening, bringOpening, getOpening, listOpenings } from './opening/rows.ts'
import { openingQueue } from './opening/run.ts'
import { openingTemplate } from './opening/template.ts'
import { findReadiness, type Looker } from './readiness.ts'

type Enqueue = (queue: string, data: { taskId: string }) => Promise<void>

/** `address`: the product's external address without a path; empty if not configured. */
export function onboardingRoutes(serve: Serve, enqueue: Enqueue, address: string): void {
  serve(contract.listOnboarding, async ({ query }, ctx) => {
    const { rows, figures } = await findReadiness(ctx, query)
    const { limit, offset } = pageSlice(query)
    return { list: rows.slice(offset, offset + limit), total: rows.length, figures }
  })
  serve(contract.getOnboarding, getOnboarding)
  serve(contract.callContact, callContact)
  serve(contract.changeOnboarding, changeOnboarding)
  serve(links.listLinks, listLinks)
  serve(links.createLink, createLink)
  serve(links.changeLink, changeLink)
  serve.open(links.openLink, openLink)
  serve.open(links.acceptLink, acceptLink)
  serve(openings.openingTemplate, ({ query }) => openingTemplate(query.kind))
  serve(openings.bringOpening, bringOpening)
  serve(openings.listOpenings, listOpenings)
  serve(openings.getOpening, getOpening)
  serve(
    openings.actOnOpening,
    actOnOpening((id) => enqueue(openingQueue, { taskId: id })),
  )
  serve(openings.openingResult, openingResult(address))
}

async function* exported(ctx: Looker, query: contract.OnboardingQuery) {
  yield* (await findReadiness(ctx, query)).rows
}
const countExported = async (ctx: Looker, query: contract.OnboardingQuery) => (await findReadiness(ctx, query)).rows.length

const stateOf =
  (key: StepKey) =>
  (row: contract.ReadinessRow): string => {
    const state = row.steps.find((step) => step.key === key)?.state
    return state ? stepStates[state] : ''
  }

export function registerOnboardingExport(): void {
  exportOf(
    contract.onboardingList,
    {
      title: '项目就绪度',
      widths: { name: 32, projectCode: 22, contractorCorpName: 32 },
      rows: exported,
      count: countExported,
    },
    {
      register: stateOf('register'),
      parties: stateOf('parties'),
      accounts: stateOf('accounts'),
      gates: stateOf('gates'),
      attendance: stateOf('attendance'),
      devices: stateOf('devices'),
      docking: stateOf('docking'),
      stuck: (r) => r.stuck && onboardingSteps[r.stuck],
      prjStatus: (r) => r.prjStatusName,
      areaCode: (r) => r.areaName,
    },
  )
}
