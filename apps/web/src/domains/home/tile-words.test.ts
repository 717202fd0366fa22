import type { MenuNode } from '@zhugong/contract/access/menu'
import type { MainPage } from '@zhugong/contract/home/endpoints'
import { expect, test } from 'vitest'
import { machinesOf, pagesByApp } from './tile-words.ts'

const node = (title: string, more: Partial<MenuNode>): MenuNode => ({
  id: title,
  name: title,
  title,
  menuType: more.path ? 'MENU' : 'DIR',
  operator: [],
  relevance: [],
  children: [],
  ...more,
})
const menu = [
  node('设备监测', {
    children: [
      node('塔式起重机', {
        children: [
          node('塔机实时监测', { path: '/tower/monitor', code: 'tower-crane.view' }),
          node('塔机告警记录', { path: '/tower/alarm', code: 'tower-crane.view' }),
        ],
      }),
      node('电表监测', { path: '/electric', code: 'meters.view' }),
      node('水表监测', { path: '/waterMeter', code: 'meters.view' }),
    ],
  }),
]
const family = (name: string, link: string | null, total: number, online: number, alarming = 0): MainPage['devices'][number] => ({
  family: name,
  name,
  total,
  online,
  alarming,
  faulty: 0,
  problem: '',
  link,
})

test('an app’s tile names its own pages, wherever the menu has them', () => {
  const pages = pagesByApp(menu)
  expect([...pages.values()].map((own) => own.map((page) => page.title))).toEqual([
    ['塔机实时监测', '塔机告警记录'],
    ['电表监测', '水表监测'],
  ])
})

test('it counts the machines that are watched on them', () => {
  const [cranes = [], meters = []] = [...pagesByApp(menu).values()]
  const devices = [
    family('tower', '/tower/monitor', 6, 5, 2),
    family('electric', '/electric', 4, 4),
    family('water', '/waterMeter', 2, 1),
    family('gate', null, 4, 4, 1),
  ]
  expect(machinesOf(cranes, devices)).toBe('在线 5 / 6，告警 2')
  expect(machinesOf(meters, devices)).toBe('在线 5 / 6')
  expect(machinesOf([], devices)).toBe('')
})
