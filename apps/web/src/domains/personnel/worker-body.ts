import type { registerWorker } from '@zhugong/contract/personnel/workers'
import type { BodyOf } from '#kit/form.tsx'

export type Body = BodyOf<typeof registerWorker>
