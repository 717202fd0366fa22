import { publicSettings, updateSettings } from '@zhugong/contract/identity/endpoints'
import * as contract from '@zhugong/contract/settings/endpoints'
import * as parents from '@zhugong/contract/settings/parents'
import type { Config } from '#kit/config'
import type { Serve } from '#kit/serve'
import { careerProofRoutes } from './career-proof.ts'
import { companyPaperRoutes } from './company-papers.ts'
import { dashboardRoutes } from './dashboard.ts'
import { areasAvailable, areasBelow, dictionariesNamed } from './dictionaries.ts'
import { getSettingsHead } from './heads.ts'
import { materialRoutes } from './materials.ts'
import { myPersonRoutes } from './my-person.ts'
import { ownAreaRoutes } from './own-areas.ts'
import { dictionariesFor, ownDictionaryRoutes } from './own-dictionaries.ts'
import { ownLinkRoutes } from './own-link.ts'
import { type DemoAccount, profileOf, refusePast, saveProfile } from './profile.ts'
import { personRequestRoutes } from './requests/routes.ts'
import { type ChannelSenders, systemRoutes } from './system.ts'

export function settingsRoutes(
  serve: Serve,
  config: Config,
  demoAccounts: () => readonly DemoAccount[] | undefined,
  onSaved: () => Promise<void>,
  senders: ChannelSenders,
) {
  serve.open(publicSettings, ({ query }, ctx) => profileOf(ctx, config, query.org, demoAccounts()))
  serve(updateSettings, async ({ body }, ctx) => {
    refusePast(body.maintenance, ctx.clock.now())
    await saveProfile(ctx.db, body, ctx.user.id)
    ctx.afterCommit(onSaved)
    return undefined
  })
  myPersonRoutes(serve)
  ownLinkRoutes(serve, senders)
  personRequestRoutes(serve)
  careerProofRoutes(serve, config.publicUrl)
  serve(parents.getSettingsHead, getSettingsHead)
  materialRoutes(serve)
  companyPaperRoutes(serve)
  systemRoutes(serve, config, senders)
  dashboardRoutes(serve)
  serve(contract.dictsByCode, async ({ body }, ctx) =>
    Object.fromEntries((await dictionariesFor(ctx, body.featCodes)).map((d) => [d.code, d.items])),
  )
  serve(contract.dictsByParent, async ({ query }, ctx) => {
    const [found] = query.featCode ? await dictionariesFor(ctx, [query.featCode]) : []
    const list = (found?.items ?? []).filter((item) => !query.parent || item.parent === query.parent)
    return { list, total: list.length }
  })
  serve(contract.dictTree, ({ query }, ctx) => dictionariesFor(ctx, dictionariesNamed(query.name)))
  serve(contract.dictTreeByCode, ({ query }, ctx) => dictionariesFor(ctx, query.featCodes ?? dictionariesNamed(undefined)))
  ownDictionaryRoutes(serve)
  ownAreaRoutes(serve)
  serve(contract.areaTree, ({ query }) => areasAvailable(query.parent))
  serve(contract.nativeAreaTree, ({ query }) => areasBelow(query.parent))
}
