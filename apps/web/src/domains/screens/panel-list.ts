import type { PanelKey } from '@zhugong/contract/screens/catalogue'
import type { ComponentType } from 'react'
import * as alarms from './panels/alarms.tsx'
import * as cranes from './panels/cranes.tsx'
import { HelmetMap } from './panels/helmets.tsx'
import * as machines from './panels/machines.tsx'
import * as maps from './panels/maps.tsx'
import * as people from './panels/people.tsx'
import { VideoWall } from './panels/video.tsx'
import * as yard from './panels/yard.tsx'
import type { PanelProps } from './wall-state.ts'

/** Component of each panel of the catalogue. */
export const panelParts: Readonly<Record<PanelKey, ComponentType<PanelProps>>> = {
  kpiStrip: alarms.KpiStrip,
  projectMap: maps.ProjectMap,
  sitePlan: maps.SitePlan,
  alarmTicker: alarms.AlarmTicker,
  alarmTrend: alarms.AlarmTrend,
  alarmRank: alarms.AlarmRank,
  areaCompare: people.AreaCompare,
  projectHealth: people.ProjectHealth,
  attendanceNow: people.AttendanceNow,
  attendanceHour: people.AttendanceHour,
  attendanceDay: people.AttendanceDay,
  workTypeMix: people.WorkTypeMix,
  corpRank: people.CorpRank,
  gateLive: people.GateLive,
  keyPost: people.KeyPost,
  laborCompliance: people.LaborCompliance,
  dueSoon: machines.DueSoon,
  deviceOnline: machines.DeviceOnline,
  deviceColumn: machines.DeviceColumn,
  craneGroup: cranes.CraneGroup,
  craneLive: cranes.CraneLive,
  lifterLive: machines.LifterLive,
  envLive: machines.EnvLive,
  envRank: machines.EnvRank,
  pitLive: machines.PitLive,
  unloadingLive: machines.UnloadingLive,
  truckAccess: yard.TruckAccess,
  aiEvents: alarms.AiEvents,
  formworkLive: yard.FormworkLive,
  energyUse: yard.EnergyUse,
  weighToday: yard.WeighToday,
  helmetMap: HelmetMap,
  videoWall: VideoWall,
  dataHealth: machines.DataHealth,
}
