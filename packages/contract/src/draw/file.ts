import { z } from 'zod'
import { filled } from '../kit/fields.ts'

/** Digits said aloud by a witness, in the order of the witnesses; nobody knows the seed at that time. */
export const witness = z.object({
  name: filled(50, '见证人'),
  digits: z
    .string({ error: '请填写见证数字' })
    .trim()
    .regex(/^\d{1,6}$/, '见证数字为 1 至 6 位数字'),
})
export const witnesses = z.array(witness).min(1, '至少 1 名见证人').max(5, '见证人最多 5 名')

const quota = z.object({ name: z.string(), seats: z.number().int() })

/** The file with which an outsider repeats a draw. Everything below `seed` is null until the draw. */
export const drawFile = z.object({
  rules: z.string(),
  lots: z.array(z.object({ key: z.string(), classes: z.array(z.string()), unit: z.string() })),
  quotas: z.array(quota),
  perUnit: z.number().int().nullable(),
  /** SHA-256 of the list, hexadecimal. */
  listHash: z.string(),
  /** SHA-256 of the seed, published before the digits were known. */
  commitment: z.string(),
  /** 32 bytes, hexadecimal. */
  seed: z.string().nullable(),
  digits: z.array(z.string()).nullable(),
  result: z.array(z.object({ name: z.string(), seats: z.array(z.string()), reserve: z.array(z.string()) })).nullable(),
})
export type DrawFile = z.output<typeof drawFile>
