import type { PlaceRow } from '@zhugong/contract/attendance/facts'
import { type AttendanceSetting, given, type SettingVersion } from '@zhugong/contract/attendance/setting-model'
import { isRestDate } from '@zhugong/contract/kit/rest-days'
import { dayMs, hourMs, secondMs } from '@zhugong/contract/kit/time'
import { rowAt, type Stay, stayOn, staysOf } from './stay.ts'
import { addDays, clockMs, dateOf, startOf } from './time.ts'

/** What one team is judged by on one work day: the setting in force, overridden by the team's shift. Times in milliseconds. */
export interface Rule {
  settingVersion: string
  shift: string | null
  workStartMs: number
  /** After `workStartMs`; beyond 24 h when the shift crosses midnight. */
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

/** A80: the version in force on a work day. Before the first there is none, so the first holds. */
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

/** A81: the shift a team has on a work day; of two from the same date the one stated last. */
export function shiftOn(setting: AttendanceSetting, teamSysNo: string | null, workDay: string): string | null {
  let held: { shift: string; from: string } | undefined
  for (const t of setting.teamShifts) {
    if (t.teamSysNo === teamSysNo && t.from <= workDay && (!held || t.from >= held.from)) held = t
  }
  return held ? held.shift : null
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

/** One person's work days in one project: where they are cut, which rule holds on them, where the person is enrolled. */
export interface Calendar {
  readonly stays: readonly Stay[]
  /** A16. The cut is that of the person's team at the instant. */
  workDayOf(at: number): string
  /** A13 */
  stayOn(workDay: string): Stay | undefined
  teamAt(at: number): string | null
  ruleOn(workDay: string, teamSysNo: string | null): Rule
  /** A29: the instant a work day is over, which is where the next one begins. */
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
    // A version is named by its own day too: two stored versions may bear one label in a rehearsal.
    const key = `${version.effectiveFrom}|${version.version}|${shift === null ? '' : `=${shift}`}`
    let rule = rules.get(key)
    if (!rule) {
      rule = ruleFrom(version, shift)
      rules.set(key, rule)
    }
    return rule
  }

  /** Before the cut an instant belongs to the date before: a stay that ended yesterday still holds its night. */
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
