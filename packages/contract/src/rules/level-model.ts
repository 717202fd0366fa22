import { z } from 'zod'
import { filled, flag } from '../kit/fields.ts'
import { channel, minutes, roles } from './exec-model.ts'
import { levelNumber } from './model.ts'

export const sounds = { none: '无声', beep: '提示音', ring: '铃声', siren: '警笛' } as const

export const levelPlan = z.object({
  channels: z.array(channel).default([]),
  repeatMinutes: minutes.nullable(),
  photoRequired: flag.default(false),
  escalation: z
    .array(z.object({ afterMinutes: minutes, roles: roles.min(1, '请选择升级对象') }))
    .max(8)
    .default([]),
})

export const levelBody = z.object({
  level: levelNumber,
  name: filled(20, '等级名称'),
  label: filled(20, '等级说明'),
  color: z.string().regex(/^#[0-9A-Fa-f]{6}$/, '颜色应为 #RRGGBB'),
  sound: z.enum(Object.keys(sounds) as [keyof typeof sounds], { error: '声音不正确' }),
  plan: levelPlan,
})

export type LevelPlan = z.output<typeof levelPlan>

export const levelRow = z.object({
  level: z.number().int(),
  name: z.string(),
  label: z.string(),
  color: z.string(),
  contrast: z.number(),
  sound: z.enum(Object.keys(sounds) as [keyof typeof sounds]),
  plan: levelPlan,
  openNow: z.number().int(),
  own: z.boolean(),
  /** Who changed the level last, and when (epoch milliseconds); null for the delivered state. */
  updateBy: z.string().nullable(),
  updateTime: z.number().nullable(),
  version: z.number().int(),
})

export type LevelRow = z.output<typeof levelRow>
