import { story } from './city-plan.ts'
import type { City, Device } from './city-types.ts'
import { Crane, driversOf } from './crane.ts'
import type { Encounter } from './crane-moves.ts'
import { Dust, type Episode } from './dust.ts'
import { Helmet } from './helmet.ts'
import { Lifter } from './lifter.ts'
import type { Machine } from './machine.ts'
import { ElectricMeter, WaterMeter } from './meter.ts'
import { Truck } from './muck-truck.ts'
import { BaseStation, TagHelmet } from './stations.ts'
import { Formwork, PileRig, PitPoint, Platform, Spray } from './structures.ts'
import { Camera, GateState, TruckLane, Weighbridge } from './yard.ts'

export interface MachineOptions {
  /** `live` or the past day; keeps their random numbers apart. */
  purpose: string
  /** Works around the clock, so that a demonstration started at night has activity. */
  always?: boolean
  overloadsAt?: number[]
  encountersAt?: number[]
  encounter?: Encounter
  dust?: Episode[]
  intervalSeconds?: number
}

/** Creates the simulation of a device. */
export function machineFor(city: City, device: Device, options: MachineOptions): Machine {
  const project = city.projects.find((one) => one.projectCode === device.projectCode)
  const idle = project?.prjStatus === '005'
  switch (device.family) {
    case 'towerCrane':
      return new Crane(city, device, { ...options, idle, calm: project?.shortName === story.green, driver: driversOf(city, device) })
    case 'lifter':
      return new Lifter(city, device, { ...options, idle, driver: driversOf(city, device) })
    case 'environment':
      return new Dust(city, device, { extra: options.dust, intervalSeconds: options.intervalSeconds })
    case 'electricMeter':
      return new ElectricMeter(city, device)
    case 'waterMeter':
      return new WaterMeter(city, device)
    case 'foundationPit':
      return new PitPoint(city, device)
    case 'highFormwork':
      return new Formwork(city, device)
    case 'unloadingPlatform':
      return new Platform(city, device, { overloadAt: options.overloadsAt?.[0] })
    case 'pileFoundation':
      return new PileRig(city, device)
    case 'sprayController':
      return new Spray(city, device)
    case 'weighbridge':
      return new Weighbridge(city, device)
    case 'truckAccess':
      return new TruckLane(city, device)
    case 'smartHelmet':
      return new Helmet(city, device, options.purpose)
    case 'baseStationHelmet':
      return device.params.stationId ? new BaseStation(city, device) : new TagHelmet(city, device)
    case 'truckMonitor':
      return new Truck(city, device)
    case 'faceGate':
      return new GateState(city, device)
    case 'videoAi':
      return new Camera(city, device)
  }
}
