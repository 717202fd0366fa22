import { createHmac } from 'node:crypto'
import { deviceStatus } from '@zhugong/contract/equipment/codes'
import type { Context } from '#kit/context'
import { numberOr, textOr } from '../shared/family.ts'
import { gbCameraOf } from './media-gb.ts'

/** The media server that relays streams: its address, and the key with which the platform signs playback URLs with an expiry. */
export interface Media {
  provider: string
  baseUrl: string
  kind: 'hls' | 'flv' | 'mp4'
  /** Encrypted; decrypted only for signing. */
  secret: string
  concurrent: number
  updateTime: number
}

export const mediaKey = 'mediaServer'
const validMs = 10 * 60_000

/** Columns of a device needed for signing. */
export interface Streaming {
  id: string
  family: string
  status: string
  params: Readonly<Record<string, unknown>>
}

const channelShape = /^\w{1,32}$/
/**
 * Stream of a device: its number in the national network if it is a camera with one, else its id. Undefined if not in service: a number is unique
 * only among devices in service, and one awaiting approval has no right to it.
 */
export function streamOf({ id, family, status, params }: Streaming): { stream: string; channel: string } | undefined {
  if (status !== deviceStatus.inUse) return undefined
  if (family !== 'videoAi') return { stream: id, channel: '1' }
  const channel = textOr(params.channelId) ?? String(numberOr(params.channelId) ?? 1)
  return { stream: gbCameraOf(params)?.deviceId ?? id, channel: channelShape.test(channel) ? channel : '1' }
}

export async function findMedia(ctx: Pick<Context, 'db'>): Promise<Media | undefined> {
  const row = await ctx.db.selectFrom('setting').select('value').where('key', '=', mediaKey).executeTakeFirst()
  return row?.value as Media | undefined
}

const mostTruckChannels = 4
/** Number of cameras on a vehicle's terminal. */
export const truckChannels = (params: Readonly<Record<string, unknown>>): number =>
  Math.min(mostTruckChannels, numberOr(params.channels) ?? 2)

/** URL of a recorded piece as a file, valid for ten minutes. */
export function clipAddress(
  ctx: Pick<Context, 'secrets'>,
  media: Media,
  of: { stream: string; channel: string },
  now: number,
  span: { startTime: number; endTime: number },
): { url: string; expireAt: number } {
  // A download is always a single file, whatever format the wall plays.
  const { url, expireAt } = channelAddress(ctx, { ...media, kind: 'mp4' }, of, 'main', now, span)
  return { url, expireAt }
}

/** URL that plays one channel for ten minutes: the media server verifies the signature without asking the platform. */
export function channelAddress(
  ctx: Pick<Context, 'secrets'>,
  media: Media,
  of: { stream: string; channel: string },
  stream: 'sub' | 'main',
  now: number,
  span?: { startTime: number; endTime: number },
): { url: string; snapshotUrl: string; expireAt: number } {
  const expireAt = now + validMs
  const path = `/${encodeURIComponent(of.stream)}/${encodeURIComponent(of.channel)}/${stream}`
  const query = new URLSearchParams(span ? { from: String(span.startTime), to: String(span.endTime) } : undefined)
  query.set('expires', String(expireAt))
  const key = ctx.secrets.open(Buffer.from(media.secret, 'base64')) ?? ''
  const base = media.baseUrl.replace(/\/+$/, '')
  const signed = (file: string) => {
    const text = `${path}${file}?${query}`
    return `${base}${text}&sign=${createHmac('sha256', key).update(text).digest('hex')}`
  }
  return { url: signed(media.kind === 'hls' ? '.m3u8' : `.${media.kind}`), snapshotUrl: signed('.jpg'), expireAt }
}
