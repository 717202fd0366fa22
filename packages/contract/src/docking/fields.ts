import { z } from 'zod'
import { ref } from '../kit/fields.ts'
import { type UploadStatus, uploadStates } from './codes.ts'
import { objectTypes } from './standard.ts'

/** Fields that the docking endpoints share. */
export const count = z.number().int()
export const object = z.enum(objectTypes)
export const states = Object.keys(uploadStates) as [UploadStatus, ...UploadStatus[]]
/** Endpoints for those who manage connections: the platform operator or a government. */
export const ours = { groupTypes: [0, 1], needs: 'docking.edit', acts: 'aside' } as const
export const platformId = z.object({ id: ref('dockingPlatform') })
export const ofPlatform = z.object({ platformId: ref('dockingPlatform') })
