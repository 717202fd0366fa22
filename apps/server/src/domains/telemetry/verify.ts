import type { verifyDevice as call } from '@zhugong/contract/equipment/device-tools'
import { familyNamed } from '@zhugong/contract/telemetry/families'
import type { Context } from '#kit/context'
import { getDeviceRow, verifyDevice } from '../equipment/public.ts'
import { decodeTrial } from './decode-trial.ts'
import { dialectsOf } from './dialect-trial.ts'
import type { Trial } from './trial.ts'

type VerifyBody = NonNullable<(typeof call)['types']>['parsed']['body']

/** Checks a device that is being set up, and decodes a pasted frame with its settings. Stores nothing. */
export async function verifyWithFrame(ctx: Context, verifyBody: VerifyBody) {
  const verdict = await verifyDevice(ctx, verifyBody)
  if (!verifyBody.frame) return verdict
  const decoded = await tryFrame(ctx, { ...verifyBody, frame: verifyBody.frame })
  const { ok } = decoded
  const check = { key: 'frame', label: '报文', ok, text: ok ? '解析成功' : (decoded.error ?? '无法解析') }
  return {
    ...verdict,
    ok: verdict.ok && ok,
    checks: [...verdict.checks, check],
    decoded,
    dialects: dialectsOf(verifyBody.frame, ctx.clock.now()),
  }
}

async function tryFrame(ctx: Context, requested: VerifyBody & { frame: string }): Promise<Trial> {
  const device = requested.id ? await getDeviceRow(ctx, requested.id) : undefined
  const { units, codes, crcMode, maxLength } = device?.access ?? {}
  const family = device?.family ?? (requested.family ? familyNamed(requested.family)?.key : undefined)
  const protocol = device?.protocol ?? requested.protocol ?? 'mqtt'
  return decodeTrial(requested.frame, { protocol, family, units, codes, crcMode, maxLength }, ctx.clock.now())
}
