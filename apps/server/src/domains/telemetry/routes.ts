import { verifyDevice } from '@zhugong/contract/equipment/device-tools'
import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/telemetry/endpoints'
import { families, familyNamed } from '@zhugong/contract/telemetry/families'
import type { Config } from '#kit/config'
import type { HandlerOf, Serve } from '#kit/serve'
import { toFamilyView } from './family-view.ts'
import { liveTokenMs, viewerPrefix, writeTicket } from './live-access.ts'
import { verifyWithFrame } from './verify.ts'
import { wireRoutes } from './wire-routes.ts'

export interface TelemetryDependencies {
  config: Config
}

export function telemetryRoutes(serve: Serve, deps: TelemetryDependencies): void {
  serve(calls.liveToken, liveToken(deps))
  serve(calls.listFamilies, () => ({ list: families.map((f) => ({ key: f.key, code: f.code, name: f.name })), total: families.length }))
  serve(calls.getFamily, getFamily)
  wireRoutes(serve, deps)
  serve(verifyDevice, ({ body }, ctx) => verifyWithFrame(ctx, body))
}

const liveToken =
  (deps: TelemetryDependencies): HandlerOf<typeof calls.liveToken> =>
  (_input, ctx) => {
    const expiresAt = ctx.clock.now() + liveTokenMs
    const clientId = `${viewerPrefix}${ctx.newId()}`
    return {
      // Port only: the page uses its own host name, because behind a proxy the server's address is not reachable.
      url: `:${deps.config.mqttWsPort}`,
      clientId,
      username: 'live',
      password: writeTicket(ctx.secrets, { sessionHash: ctx.principal.sessionHash, projectCode: ctx.projectCode, expiresAt, clientId }),
      expiresIn: Math.floor(liveTokenMs / 1000),
    }
  }

const getFamily: HandlerOf<typeof calls.getFamily> = ({ params }, ctx) => {
  const family = familyNamed(params.key)
  if (!family) throw new AppError('notFound', '没有这个设备族')
  return toFamilyView(family, ctx.clock.now())
}
