import { publicSettings, updateSettings } from '@zhugong/contract/identity/endpoints'
import * as contract from '@zhugong/contract/settings/endpoints'
import * as parents from '@zhugong/contract/settings/parents'
import type { Config } from '#kit/config'
import type { Serve } from '#kit/serve'
import { companyPaperRoutes } from './company-papers.ts'
import { dashboardRoutes } from './dashboard.ts'
import { areasBelow, dictionariesNamed, itemsOf, searchDictionaries } from './dictionaries.ts'
import { getSettingsHead } from './heads.ts'
import { materialRoutes } from './materials.ts'
import { myPersonRoutes } from './my-person.ts'
import { type DemoAccount, profileOf, saveProfile } from './profile.ts'
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
    await saveProfile(ctx.db, body, ctx.user.id)
    ctx.afterCommit(onSaved)
    return undefined
  })
  myPersonRoutes(serve)
  serve(parents.getSettingsHead, getSettingsHead)
  materialRoutes(serve)
  companyPaperRoutes(serve)
  systemRoutes(serve, config, senders)
  dashboardRoutes(serve)
  serve(contract.dictsByCode, ({ body }) => Object.fromEntries(dictionariesNamed(body.featCodes).map((d) => [d.code, d.items])))
  serve(contract.dictsByParent, ({ query }) => {
    const list = query.featCode ? itemsOf(query.featCode).filter((item) => !query.parent || item.parent === query.parent) : []
    return { list, total: list.length }
  })
  serve(contract.dictTree, ({ query }) => searchDictionaries(query.name))
  serve(contract.dictTreeByCode, ({ query }) => (query.featCodes ? dictionariesNamed(query.featCodes) : searchDictionaries(undefined)))
  serve(contract.areaTree, ({ query }) => areasBelow(query.parent))
  serve(contract.nativeAreaTree, ({ query }) => areasBelow(query.parent))
}
