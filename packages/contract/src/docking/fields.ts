import { z } from 'zod'
import { ref } from '../kit/fields.ts'
import { type UploadStatus, uploadStates } from './codes.ts'
import { objectTypes } from './standard.ts'

/** What the calls of docking have in common. */
export const count = z.number().int()
export const object = z.enum(objectTypes)
export const states = Object.keys(uploadStates) as [UploadStatus, ...UploadStatus[]]
/** Changed by whoever keeps the connection: the operator or a body. */
export const ours = { groupTypes: [0, 1], needs: 'docking.edit', acts: 'aside' } as const
export const platformId = z.object({ id: ref('dockingPlatform') })
export const ofPlatform = z.object({ platformId: ref('dockingPlatform') })
