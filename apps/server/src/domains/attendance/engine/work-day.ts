import type { PlaceRow } from '@zhugong/contract/attendance/facts'
import { type AttendanceSetting, given, type SettingVersion } from '@zhugong/contract/attendance/setting-model'
import { isRestDate } from '@zhugong/contract/kit/rest-days'
import { dayMs, hourMs, secondMs } from '@zhugong/contract/kit/time'
import { rowAt, type Stay, stayOn, staysOf } from './stay.ts'
import { addDays, clockMs, dateOf, startOf } from './time.ts'

/** The rules for one team on one work day: the setting in force, overridden by the team's shift. Times in milliseconds. */
export interface Rule {
  settingVersion: string
  shift: string | null
  workStartMs: number
  /** Ms after midnight, later than `workStartMs`; beyond 24 h if the shift crosses midnight. */
  workEndMs: number
  crossMidnight: boolean
  lateMs: number
  earlyMs: number
  dayCutMs: number
  minHours: number
  repeatMs: number
  maxSpanMs: number
  breaks: [number, number][]
  isRest: (workDay: string) => boolean
  standardHours: number
  supplementDays: number
  keyPostRate: number
}

/** A80: the version in force on a work day. The first version also applies before its start. */
export function versionOn(versions: readonly SettingVersion[], workDay: string): SettingVersion {
  let inForce: SettingVersion | undefined
  let earliest: SettingVersion | undefined
  for (const v of versions) {
    if (!earliest || v.effectiveFrom < earliest.effectiveFrom) earliest = v
    if (v.effectiveFrom > workDay) continue
    if (!inForce || v.effectiveFrom > inForce.effectiveFrom || (v.effectiveFrom === inForce.effectiveFrom && v.version > inForce.version))
      inForce = v
  }
  const found = inForce ?? earliest
  if (!found) throw new Error('no version of the attendance setting')
  return found
}

/** A81: a team's shift on a work day; of several from the same date the last one applies. */
export function shiftOn(setting: AttendanceSetting, teamSysNo: string | null, workDay: string): string | null {
  let current: { shift: string; from: string } | undefined
  for (const t of setting.teamShifts) {
    if (t.teamSysNo === teamSysNo && t.from <= workDay && (!current || t.from >= current.from)) current = t
  }
  return current ? current.shift : null
}

function ruleFrom(version: SettingVersion, shift: string | null): Rule {
  const override = shift === null ? undefined : version.setting.shifts[shift]
  const s: AttendanceSetting = override ? { ...version.setting, ...given(override) } : version.setting
  const workStartMs = clockMs(s.workStart)
  const workEndMs = clockMs(s.workEnd)
  return {
    settingVersion: version.version,
    shift: override ? shift : null,
    workStartMs,
    workEndMs: workEndMs > workStartMs ? workEndMs : workEndMs + dayMs,
    crossMidnight: s.crossMidnight,
    lateMs: s.lateMinutes * 60 * secondMs,
    earlyMs: s.earlyMinutes * 60 * secondMs,
    dayCutMs: clockMs(s.dayCut),
    minHours: s.minHours,
    repeatMs: s.repeatSeconds * secondMs,
    maxSpanMs: s.maxSpanHours * hourMs,
    breaks: s.breaks.map(([from, to]) => {
      const [fromMs, toMs] = [clockMs(from), clockMs(to)]
      return [fromMs, toMs > fromMs ? toMs : toMs + dayMs]
    }),
    isRest: (workDay) => isRestDate(s, workDay),
    standardHours: s.standardHours,
    supplementDays: s.supplementDays,
    keyPostRate: s.keyPostRate,
  }
}

/** One person's work days in one project: their limits, their rules, and the person's stays. */
export interface Calendar {
  readonly stays: readonly Stay[]
  /** A16. Uses the day cut of the person's team at that time. */
  workDayOf(at: number): string
  /** A13 */
  stayOn(workDay: string): Stay | undefined
  teamAt(at: number): string | null
  ruleOn(workDay: string, teamSysNo: string | null): Rule
  /** A29: the time (epoch ms) at which a work day ends and the next one begins. */
  closeOf(workDay: string): number
}

export function calendarOf(versions: readonly SettingVersion[], rows: readonly PlaceRow[]): Calendar {
  const stays = staysOf(rows)
  const rules = new Map<string, Rule>()
  const versionByDay = new Map<string, SettingVersion>()

  function ruleOn(workDay: string, teamSysNo: string | null): Rule {
    let version = versionByDay.get(workDay)
    if (!version) {
      version = versionOn(versions, workDay)
      versionByDay.set(workDay, version)
    }
    const shift = shiftOn(version.setting, teamSysNo, workDay)
    // The key contains the start day, because in a rehearsal two stored versions may have the same label.
    const key = `${version.effectiveFrom}|${version.version}|${shift === null ? '' : `=${shift}`}`
    let rule = rules.get(key)
    if (!rule) {
      rule = ruleFrom(version, shift)
      rules.set(key, rule)
    }
    return rule
  }

  /** Before the day cut a time belongs to the previous date, so a stay that ended yesterday still covers its night. */
  function teamAt(at: number): string | null {
    const date = dateOf(at)
    const stay = stayOn(stays, date) ?? stayOn(stays, addDays(date, -1))
    return stay ? rowAt(stay, at).teamSysNo : null
  }

  return {
    stays,
    workDayOf(at) {
      const date = dateOf(at)
      return at - startOf(date) >= ruleOn(date, teamAt(at)).dayCutMs ? date : addDays(date, -1)
    },
    stayOn: (workDay) => stayOn(stays, workDay),
    teamAt,
    ruleOn,
    closeOf(workDay) {
      const next = addDays(workDay, 1)
      const begins = startOf(next)
      return begins + ruleOn(next, teamAt(begins)).dayCutMs
    },
  }
}
