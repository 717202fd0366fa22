import type { verifyDevice as call } from '@zhugong/contract/equipment/device-tools'
import { familyNamed } from '@zhugong/contract/telemetry/families'
import type { Context } from '#kit/context'
import { getDeviceRow, verifyDevice } from '../equipment/public.ts'
import { decodeTrial, type Trial } from './decode-trial.ts'

type Asked = NonNullable<(typeof call)['types']>['parsed']['body']

/** What is known about a device that is being set up, and how a pasted frame of it would be read. Stores nothing. */
export async function verifyWithFrame(ctx: Context, asked: Asked) {
  const verdict = await verifyDevice(ctx, asked)
  if (!asked.frame) return verdict
  const decoded = await tryFrame(ctx, { ...asked, frame: asked.frame })
  const { ok } = decoded
  const check = { key: 'frame', label: '报文', ok, text: ok ? '解析成功' : (decoded.error ?? '无法解析') }
  return { ...verdict, ok: verdict.ok && ok, checks: [...verdict.checks, check], decoded }
}

async function tryFrame(ctx: Context, asked: Asked & { frame: string }): Promise<Trial> {
  const device = asked.id ? await getDeviceRow(ctx, asked.id) : undefined
  const { units, codes, crcMode, maxLength } = device?.access ?? {}
  const family = device?.family ?? (asked.family ? familyNamed(asked.family)?.key : undefined)
  const protocol = device?.protocol ?? asked.protocol ?? 'mqtt'
  return decodeTrial(asked.frame, { protocol, family, units, codes, crcMode, maxLength }, ctx.clock.now())
}
