import { shiftDay } from '@zhugong/contract/schedule/plan'

/** How a site of the demonstration keeps to its plan. */
export interface SchedulePlan {
  /** Days that the masonry of its second unit is behind. */
  lateDays: number
  state: '1' | '2'
  /** The baseline was changed once. */
  rebased: boolean
}

export const schedulePlans: Readonly<Record<string, SchedulePlan>> = {
  hospital: { lateDays: 12, state: '2', rebased: true },
  dongwan: { lateDays: 38, state: '2', rebased: false },
  jiangtan: { lateDays: 0, state: '1', rebased: true },
}

export interface TaskPlan {
  wbs: string
  name: string
  planStart: string
  planEnd: string
  weight: number
  milestone?: true
  critical?: true
  /** Days by which the site is behind this task's plan. */
  late: number
  /** Weekly reports with photographs. */
  shown?: true
}

const floorDays = 7
const masonryLag = 5
/** Floors of the structure that are finished today, of those of a usual tower. */
const finishedShare = 18 / 26

/** The plan of one tower around today: foundation, structure floor by floor, masonry behind it, fitting out and acceptance. */
export function towerPlan(top: number, name: string, floors: number, today: string, late: number, before: number): TaskPlan[] {
  const done = Math.max(1, Math.round(floors * finishedShare) - before)
  const begin = shiftDay(today, -done * floorDays - 2)
  const at = (n: number) => shiftDay(begin, n)
  const number = (...parts: number[]) => [top, ...parts].join('.')
  const equal = (n: number, i: number) => (i === n - 1 ? round(100 - round(100 / n) * (n - 1)) : round(100 / n))
  const ends = floors * floorDays
  const structure = Array.from(
    { length: floors },
    (_, i): TaskPlan => ({
      wbs: number(2, i + 1),
      name: `${i + 1}层主体结构`,
      planStart: at(i * floorDays),
      planEnd: at((i + 1) * floorDays - 1),
      weight: equal(floors, i),
      critical: true,
      late: 0,
      shown: true,
    }),
  )
  const masonry = Array.from(
    { length: floors },
    (_, i): TaskPlan => ({
      wbs: number(3, i + 1),
      name: `${i + 1}层砌体`,
      planStart: at((i + masonryLag) * floorDays),
      planEnd: at((i + masonryLag + 1) * floorDays + 2),
      weight: equal(floors, i),
      late,
    }),
  )
  const group = (n: number, title: string, weight: number, from: string, to: string): TaskPlan => ({
    wbs: number(n),
    name: title,
    planStart: from,
    planEnd: to,
    weight,
    late: 0,
  })
  const fit = ends + masonryLag * floorDays
  return [
    { wbs: String(top), name, planStart: at(-120), planEnd: at(fit + 150), weight: 0, late: 0 },
    group(1, '地基与基础', 20, at(-120), at(-1)),
    { wbs: number(1, 1), name: '桩基工程', planStart: at(-120), planEnd: at(-81), weight: 40, late: 0, critical: true },
    { wbs: number(1, 2), name: '土方与基坑支护', planStart: at(-80), planEnd: at(-46), weight: 25, late: 0 },
    { wbs: number(1, 3), name: '地下室结构', planStart: at(-45), planEnd: at(-1), weight: 35, late: 0, critical: true },
    group(2, '主体结构', 40, at(0), at(ends - 1)),
    ...structure,
    group(3, '砌体工程', 15, at(masonryLag * floorDays), at(fit + 2)),
    ...masonry,
    group(4, '装饰装修与安装', 20, at(ends), at(fit + 120)),
    { wbs: number(4, 1), name: '机电安装', planStart: at(ends), planEnd: at(fit + 80), weight: 40, late: 0 },
    { wbs: number(4, 2), name: '外墙装饰', planStart: at(ends + 20), planEnd: at(fit + 60), weight: 30, late: 0 },
    { wbs: number(4, 3), name: '室内装修', planStart: at(fit), planEnd: at(fit + 120), weight: 30, late: 0, critical: true },
    group(5, '验收', 5, at(fit + 121), at(fit + 150)),
    { wbs: number(5, 1), name: '消防与节能验收', planStart: at(fit + 121), planEnd: at(fit + 140), weight: 60, late: 0 },
    {
      wbs: number(5, 2),
      name: '竣工验收',
      planStart: at(fit + 150),
      planEnd: at(fit + 150),
      weight: 40,
      late: 0,
      milestone: true,
      critical: true,
    },
  ]
}

const round = (n: number) => Math.round(n * 100) / 100
