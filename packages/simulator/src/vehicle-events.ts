import { dayStart, weekday } from './calendar.ts'
import type { City, Device } from './city-types.ts'
import type { MachineRecord } from './machine.ts'
import { round, stream } from './random.ts'

/** Vehicles with their goods and weights, empty and full. */
const vehicles = [
  {
    plateNo: '鄂B32817',
    color: '2',
    type: '1',
    goods: '渣土',
    spec: '',
    supplier: '云泽渣土运输公司',
    tare: 14.9,
    net: 24,
    direction: '3',
  },
  {
    plateNo: '鄂B56093',
    color: '2',
    type: '1',
    goods: '渣土',
    spec: '',
    supplier: '云泽渣土运输公司',
    tare: 15.2,
    net: 23,
    direction: '3',
  },
  {
    plateNo: '鄂B61208',
    color: '2',
    type: '1',
    goods: '渣土',
    spec: '',
    supplier: '滨江土石方公司',
    tare: 14.7,
    net: 24.5,
    direction: '3',
  },
  {
    plateNo: '鄂B2C661',
    color: '2',
    type: '2',
    goods: '商品混凝土',
    spec: 'C35',
    supplier: '云泽商砼公司',
    tare: 13.8,
    net: 26.4,
    direction: '1',
  },
  {
    plateNo: '鄂B5F092',
    color: '2',
    type: '2',
    goods: '商品混凝土',
    spec: 'C40',
    supplier: '云泽商砼公司',
    tare: 13.6,
    net: 26.1,
    direction: '1',
  },
  {
    plateNo: '鄂B7H318',
    color: '2',
    type: '3',
    goods: '螺纹钢',
    spec: 'HRB400E Φ22',
    supplier: '江北钢材公司',
    tare: 12.1,
    net: 31.5,
    direction: '1',
  },
  {
    plateNo: '鄂B9K027',
    color: '2',
    type: '3',
    goods: '加气混凝土砌块',
    spec: '600×240×200',
    supplier: '青石建材公司',
    tare: 11.4,
    net: 18.2,
    direction: '1',
  },
  {
    plateNo: '鄂AD51208',
    color: '5',
    type: '3',
    goods: '水泥',
    spec: 'P·O 42.5',
    supplier: '江北水泥公司',
    tare: 12.6,
    net: 28,
    direction: '1',
  },
] as const

export interface WeighEvent {
  deviceSn: string
  projectCode: string
  /** When the second weighing ended, epoch ms. */
  time: number
  firstTime: number
  data: Record<string, string | number>
}

/** Weighings of a weighbridge on a day: gross and tare half an hour apart, sometimes underweight or overweight. */
export function weighEvents(city: City, device: Device, day: string): WeighEvent[] {
  const random = stream(city.seed, 'weigh', device.deviceSn, day)
  const project = city.projects.find((one) => one.projectCode === device.projectCode)
  if (!project || project.prjStatus === '005' || day < device.installTime) return []
  const count = weekday(day) === 0 ? random.int(2, 6) : random.int(16, 30)
  const starts = Array.from({ length: count }, () => dayStart(day) + random.int(6 * 3600, 21 * 3600) * 1000).sort((a, b) => a - b)
  return starts.map((firstTime, i) => {
    const vehicle = random.pick(vehicles)
    const incoming = vehicle.direction === '1'
    const time = firstTime + random.int(11, 38) * 60_000
    const tareWeight = Math.round((vehicle.tare + random.normal(0, 0.06)) / 0.02) * 0.02
    const wanted = vehicle.net * random.float(0.93, 1.02)
    const short = incoming && random.chance(0.03) ? random.float(0.035, 0.06) : Math.abs(random.normal(0, 0.008))
    const overloaded = !incoming && random.chance(0.02)
    const net = overloaded ? 49.6 - tareWeight : wanted * (1 - short)
    const grossWeight = Math.round((tareWeight + net) / 0.02) * 0.02
    const deduction = vehicle.goods === '商品混凝土' ? 0.2 : 0
    const netWeight = grossWeight - tareWeight - deduction
    const data: WeighEvent['data'] = {
      recordNo: `${day.replaceAll('-', '')}-${String(i + 1).padStart(4, '0')}`,
      plateNo: vehicle.plateNo,
      direction: vehicle.direction,
      goodsName: vehicle.goods,
      goodsSpec: vehicle.spec,
      supplier: vehicle.supplier,
      receiver: project.shortName,
      grossWeight: round(grossWeight, 3),
      tareWeight: round(tareWeight, 3),
      deduction,
      netWeight: round(netWeight, 3),
      grossTime: new Date(incoming ? firstTime : time).toISOString(),
      tareTime: new Date(incoming ? time : firstTime).toISOString(),
      operator: '司磅员',
      source: 'device',
      status: '2',
    }
    if (incoming) {
      data.plannedWeight = round(wanted, 3)
      data.deviation = round(netWeight - wanted, 3)
      data.deviationPercent = round(((netWeight - wanted) / wanted) * 100, 2)
    }
    return { deviceSn: device.deviceSn, projectCode: device.projectCode, time, firstTime, data }
  })
}

/** Confusions of plate recognition in rain or with a muddy plate. */
const lookAlike: Readonly<Record<string, string>> = {
  0: 'D',
  1: '7',
  2: 'Z',
  3: '8',
  5: 'S',
  6: '8',
  7: '1',
  8: 'B',
  9: '3',
  B: '8',
  D: '0',
}
/** Plate with its last confusable character misread. */
function misread(plateNo: string): string {
  const at = plateNo.split('').findLastIndex((sign, i) => i > 1 && sign in lookAlike)
  return at < 0 ? plateNo : `${plateNo.slice(0, at)}${lookAlike[plateNo[at] ?? '']}${plateNo.slice(at + 1)}`
}

/** Truck passages at a gate lane; a site with a weighbridge sees the weighed trucks, others their own. */
export function truckEvents(city: City, device: Device, day: string): MachineRecord[] {
  const random = stream(city.seed, 'lane', device.deviceSn, day)
  const eye = stream(city.seed, 'eye', device.deviceSn, day)
  const project = city.projects.find((one) => one.projectCode === device.projectCode)
  if (!project || project.prjStatus === '005' || day < device.installTime) return []
  const passages: MachineRecord[] = []
  const count = weekday(day) === 0 ? random.int(4, 10) : random.int(24, 42)
  for (let i = 0; i < count; i++) {
    const vehicle = random.pick(vehicles)
    const enters = dayStart(day) + random.int(6 * 3600, 21 * 3600) * 1000
    const leaves = enters + random.int(15, 70) * 60_000
    const washed =
      vehicle.type === '1'
        ? random.weighted([
            ['1', 92],
            ['2', 6],
            ['0', 2],
          ] as const)
        : '1'
    const common = {
      plateNo: vehicle.plateNo,
      plateColor: vehicle.color,
      registered: true,
      vehicleType: vehicle.type,
      confidence: round(random.float(0.9, 0.99), 2),
    }
    passages.push({
      record: 'accessRecord',
      time: enters,
      data: { ...common, direction: '0', time: new Date(enters).toISOString(), covered: vehicle.type === '1' ? '0' : '1' },
    })
    passages.push({
      record: 'accessRecord',
      time: leaves,
      data: {
        ...common,
        ...(eye.chance(0.03) ? { plateNo: misread(vehicle.plateNo), confidence: round(eye.float(0.35, 0.78), 2) } : {}),
        direction: '1',
        time: new Date(leaves).toISOString(),
        washed,
        washSeconds: washed === '0' ? 0 : random.int(washed === '2' ? 8 : 40, washed === '2' ? 25 : 110),
        covered: random.chance(0.97) ? '1' : '0',
      },
    })
  }
  return passages.sort((a, b) => a.time - b.time)
}
