import { type UploadStatus, uploadStates } from '@zhugong/contract/docking/codes'
import { Tag } from '#kit/feedback.tsx'
import { statusTones } from './docking-words.ts'

export const UploadTag = ({ status }: { status: UploadStatus }) => <Tag tone={statusTones[status]}>{uploadStates[status]}</Tag>
