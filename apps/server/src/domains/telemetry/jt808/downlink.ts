import { readParameterValues } from '@zhugong/contract/telemetry/terminal-parameters'
import * as body from './bodies.ts'
import { ids } from './bodies.ts'

/** A platform command as a JT/T 808 message. */
export interface Downlink {
  id: number
  body: Buffer
  /** Messages that answer it, besides the general response. */
  answers: readonly number[]
  /** The body contains a secret. */
  hides?: true
}

const numberOf = (value: unknown, fallback: number, min: number, max: number): number => {
  const n = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof n === 'number' && Number.isFinite(n) ? Math.min(max, Math.max(min, Math.trunc(n))) : fallback
}
const textOf = (value: unknown, max: number): string => (typeof value === 'string' ? value.slice(0, max) : '')

/** Parameters of `device.setParams`: given directly or under `params`. */
export const parametersRequested = (params: Record<string, unknown>): Record<string, unknown> =>
  typeof params.params === 'object' && params.params !== null ? (params.params as Record<string, unknown>) : params

function target(params: Record<string, unknown>): body.VideoTarget | undefined {
  const host = textOf(params.host, 64)
  if (!/^[\w.:-]+$/.test(host)) return undefined
  return {
    host,
    tcpPort: numberOf(params.tcpPort, 0, 0, 65_535),
    udpPort: numberOf(params.udpPort, 0, 0, 65_535),
    channel: numberOf(params.channel, 1, 1, 127),
  }
}
const instantOf = (value: unknown): number | undefined => {
  const at = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isFinite(at) ? at : undefined
}

/** Translates a command to JT/T 808; undefined if the command is unknown or a parameter is invalid. */
export function downlinkOf(command: string, params: Record<string, unknown>, is2019: boolean): Downlink | undefined {
  const channel = numberOf(params.channel, 1, 1, 127)
  switch (command) {
    case 'device.reboot':
      return { id: ids.control, body: body.control(4), answers: [] }
    case 'device.setInterval': {
      const seconds = numberOf(params.seconds ?? params.intervalSeconds, 30, 5, 3600)
      return { id: ids.setParameters, body: body.setParameters(readParameterValues({ intervalSeconds: seconds }).values), answers: [] }
    }
    case 'device.setParams': {
      const { values, errors } = readParameterValues(parametersRequested(params))
      const hides = values.some(({ parameter }) => parameter.secret)
      return errors.length === 0
        ? { id: ids.setParameters, body: body.setParameters(values), answers: [], hides: hides || undefined }
        : undefined
    }
    case 'device.getParams':
      return { id: ids.getParameters, body: Buffer.alloc(0), answers: [ids.parameters] }
    case 'device.getAttributes':
      return { id: ids.getAttributes, body: Buffer.alloc(0), answers: [ids.attributes] }
    case 'device.locate':
      return { id: ids.askPosition, body: Buffer.alloc(0), answers: [ids.locationAsked] }
    case 'device.follow':
      return {
        id: ids.follow,
        body: body.follow(numberOf(params.seconds, 5, 0, 3600), numberOf(params.lastsSeconds, 300, 1, 86_400)),
        answers: [],
      }
    case 'device.text':
    case 'helmet.text': {
      const text = textOf(params.text, 200)
      const flags = (params.urgent === true ? 1 : 0) | 4 | (params.speak === false ? 0 : 8)
      return text ? { id: ids.text, body: body.textMessage(flags, text, is2019), answers: [] } : undefined
    }
    case 'camera.snapshot':
      return { id: ids.photo, body: body.photo(channel), answers: [] }
    case 'video.live': {
      const to = target(params)
      return to && { id: ids.liveVideo, body: body.liveVideo(to, numberOf(params.stream, 1, 0, 1)), answers: [] }
    }
    case 'video.liveControl':
      return { id: ids.liveVideoControl, body: body.liveVideoControl(channel, numberOf(params.control, 0, 0, 4)), answers: [] }
    case 'video.playback': {
      const to = target(params)
      const [from, until] = [instantOf(params.startTime), instantOf(params.endTime)]
      return to && from !== undefined && until !== undefined
        ? { id: ids.playback, body: body.playback(to, from, until), answers: [ids.videoList] }
        : undefined
    }
    case 'video.playbackControl':
      return { id: ids.playbackControl, body: body.playbackControl(channel, numberOf(params.control, 2, 0, 6)), answers: [] }
    case 'video.list': {
      const [from, until] = [instantOf(params.startTime), instantOf(params.endTime)]
      return from !== undefined && until !== undefined
        ? { id: ids.askVideoList, body: body.askVideoList(channel, from, until), answers: [ids.videoList] }
        : undefined
    }
    default:
      return undefined
  }
}
