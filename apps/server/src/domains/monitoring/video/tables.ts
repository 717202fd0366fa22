import type { Generated } from 'kysely'
import type { Json, JsonGiven } from '#kit/columns'

interface AiReviewTable {
  deviceId: string
  projectCode: string
  ts: Date
  recordId: string
  verdict: '1' | '2'
  firstVerdict: '1' | '2'
  reason: string | null
  byName: string
  at: Date
  version: Generated<number>
}
interface CameraAiTable {
  deviceId: string
  projectCode: string
  thresholds: Json<unknown>
  zones: Json<unknown>
  version: Generated<number>
  updateBy: string
  updateTime: Date
}
interface VideoHoldTable {
  deviceId: string
  projectCode: string
  userId: string
  userName: string
  until: Date
}
interface VideoTalkTable {
  deviceId: string
  projectCode: string
  userId: string
  userName: string
  until: Date
}
interface VideoMarkTable {
  id: string
  projectCode: string
  deviceId: string
  kind: 'snapshot' | 'bookmark'
  at: Date
  fileId: string | null
  note: string | null
  byId: string
  byName: string
  byGroup: string
  createTime: Date
  alarmId: string | null
  attachedBy: string | null
  attachedAt: Date | null
}
interface VideoWallTable {
  id: string
  groupId: string
  projectCode: string
  name: string
  size: number
  cameras: string[]
  shared: boolean
  byId: string
  byName: string
  updateTime: Date
  version: Generated<number>
}
interface VideoPatrolTable {
  id: string
  projectCode: string
  at: Date
  cameras: JsonGiven<unknown>
  result: 'fine' | 'found'
  finding: string | null
  photos: Generated<string[]>
  deviceId: string | null
  byId: string
  byName: string
  byGroup: string
  state: 'open' | 'answered' | 'closed' | null
  told: Generated<number>
  answer: string | null
  answerPhotos: Generated<string[]>
  answerBy: string | null
  answerById: string | null
  answerAt: Date | null
  verdict: string | null
  verdictBy: string | null
  verdictAt: Date | null
  version: Generated<number>
}
interface VideoViewTable {
  id: string
  projectCode: string
  deviceId: string
  kind: 'live' | 'playback' | 'clip'
  slot: Date
  firstAt: Date
  lastAt: Date
  userId: string
  userName: string
  groupName: string
  reason: string | null
}

declare module '#kit/db' {
  interface Tables {
    aiReview: AiReviewTable
    cameraAi: CameraAiTable
    videoHold: VideoHoldTable
    videoTalk: VideoTalkTable
    videoMark: VideoMarkTable
    videoWall: VideoWallTable
    videoPatrol: VideoPatrolTable
    videoView: VideoViewTable
  }
}
