import { formatDataTime } from './values.ts'

/** A platform command as an HJ 212 command number and data. */
export interface Hj212Downlink {
  cn: string
  cp: string
}

const whole = (value: unknown): number | undefined => {
  const n = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof n === 'number' && Number.isInteger(n) ? n : undefined
}
const within = (value: unknown, min: number, max: number): number | undefined => {
  const n = whole(value)
  return n !== undefined && n >= min && n <= max ? n : undefined
}
const instantOf = (value: unknown): number | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string') return undefined
  const at = Date.parse(/(Z|[+-]\d{2}:?\d{2})$/.test(value) ? value : `${value.replace(' ', 'T')}+08:00`)
  return Number.isNaN(at) ? undefined : at
}
const periodCommands: Readonly<Record<string, string>> = { minute: '2051', hour: '2061', day: '2031' }
const wordOf = (value: unknown): string | undefined => (typeof value === 'string' && /^\w{1,40}$/.test(value) ? value : undefined)

/** Translates a command to HJ 212; undefined if the command is unknown or a parameter is missing or outside the limits of the standard. */
export function hj212DownlinkOf(command: string, params: Record<string, unknown>, now: number): Hj212Downlink | undefined {
  switch (command) {
    case 'device.syncTime':
      return { cn: '1012', cp: `SystemTime=${formatDataTime(now)}` }
    case 'hj212.getTime':
      return { cn: '1011', cp: '' }
    case 'device.setInterval':
    case 'hj212.setInterval': {
      const seconds = within(params.seconds ?? params.intervalSeconds, 30, 3600)
      return seconds === undefined ? undefined : { cn: '1062', cp: `RtdInterval=${seconds}` }
    }
    case 'hj212.getInterval':
      return { cn: '1061', cp: '' }
    case 'hj212.setMinuteInterval': {
      const minutes = within(params.minutes, 1, 60)
      return minutes === undefined ? undefined : { cn: '1064', cp: `MinInterval=${minutes}` }
    }
    case 'hj212.getMinuteInterval':
      return { cn: '1063', cp: '' }
    case 'hj212.setTimeouts': {
      const [seconds, times] = [within(params.overTimeSeconds, 1, 300), within(params.repeats, 0, 20)]
      return seconds === undefined || times === undefined ? undefined : { cn: '1000', cp: `OverTime=${seconds};ReCount=${times}` }
    }
    case 'hj212.setPassword': {
      const password = params.password
      return typeof password === 'string' && /^[\x21-\x3a\x3c-\x7e]{6,9}$/.test(password) && !/[&,=]/.test(password)
        ? { cn: '1072', cp: `NewPW=${password}` }
        : undefined
    }
    case 'hj212.start':
      return { cn: '2011', cp: '' }
    case 'hj212.stop':
      return { cn: '2012', cp: '' }
    case 'hj212.history': {
      const cn = periodCommands[String(params.kind)]
      const [from, to] = [instantOf(params.startTime), instantOf(params.endTime)]
      return cn && from !== undefined && to !== undefined && from < to
        ? { cn, cp: `BeginTime=${formatDataTime(from)},EndTime=${formatDataTime(to)}` }
        : undefined
    }
    case 'hj212.control': {
      const cn = String(params.cn ?? '')
      const pollutant = wordOf(params.polId)
      return /^30(1[1-9]|2[01])$/.test(cn) ? { cn, cp: pollutant ? `PolId=${pollutant}` : '' } : undefined
    }
    default:
      return undefined
  }
}

/** Commands sent to a station when it connects, as configured by its administrator. */
export interface FirstActions {
  time?: boolean
  overTimeSeconds?: number
  repeats?: number
  intervalSeconds?: number
  minutes?: number
  start?: boolean
}

export function firstCommands(actions: FirstActions): { cmd: string; params: Record<string, unknown> }[] {
  return [
    ...(actions.time ? [{ cmd: 'device.syncTime', params: {} }] : []),
    ...(actions.overTimeSeconds === undefined
      ? []
      : [{ cmd: 'hj212.setTimeouts', params: { overTimeSeconds: actions.overTimeSeconds, repeats: actions.repeats ?? 3 } }]),
    ...(actions.intervalSeconds === undefined ? [] : [{ cmd: 'hj212.setInterval', params: { seconds: actions.intervalSeconds } }]),
    ...(actions.minutes === undefined ? [] : [{ cmd: 'hj212.setMinuteInterval', params: { minutes: actions.minutes } }]),
    ...(actions.start ? [{ cmd: 'hj212.start', params: {} }] : []),
  ]
}
