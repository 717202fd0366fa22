import { listDevices } from '@zhugong/contract/equipment/endpoints'
import { towerVideo } from '@zhugong/contract/monitoring/crane/crane-endpoints'
import { bindCraneCameras } from '@zhugong/contract/monitoring/crane/machine-cameras'
import { mediaToken } from '@zhugong/contract/monitoring/video/video'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Empty, Known, Panel } from '#kit/feedback.tsx'
import { Choices } from '#kit/inputs.tsx'
import { PageModal } from '#kit/overlay.tsx'
import { hrefOf, usePage } from '#kit/page.tsx'
import { VideoTile } from '../video/video-tile.tsx'

interface BindingProps {
  deviceId: string
  name: string
  projectCode: string
  onClose: () => void
}

/** Form to choose the cameras of a crane. */
export function CraneCameras({ deviceId, name, projectCode, onClose }: BindingProps) {
  const bound = useCall(towerVideo, { query: { id: deviceId } }, { quiet: true, staleMs: 0 })
  const cameras = useCall(listDevices, { query: { projectCode, family: 'videoAi', status: '1', size: 1000 } }, { quiet: true })
  const [chosen, setChosen] = useState<string[]>()
  const act = useAct(bindCraneCameras, { success: '已保存', refreshes: [towerVideo, mediaToken], onDone: onClose })
  const ids = chosen ?? (bound.data?.cameras ?? []).map((one) => one.deviceId)
  const list = cameras.data?.list ?? []
  return (
    <PageModal
      open
      width={480}
      title={`${name} 绑定摄像机`}
      okText="保存"
      confirmLoading={act.running}
      onOk={() => void act.run({ params: { id: deviceId }, body: { cameraIds: ids } })}
      onCancel={onClose}
    >
      <p className="zg-2">只列出本项目的摄像机，一路摄像机绑定一台塔机，最多 4 路；画面显示在实时监测与视频播放页</p>
      {list.length === 0 ? (
        <Known of={cameras}>
          <Empty small text="本项目没有摄像机" hint="登记摄像机后可以绑定" />
        </Known>
      ) : (
        <Choices
          aria-label="摄像机"
          value={ids}
          onChange={setChosen}
          options={list.map((one) => ({ value: one.id, label: one.installPlace ? `${one.name}（${one.installPlace}）` : one.name }))}
        />
      )}
    </PageModal>
  )
}

/** Picture of the crane's first camera; empty without a camera or without the permission. */
export function CraneCamera({ deviceId }: { deviceId: string }) {
  const may = useCan('tower-crane.video')
  const { active } = usePage()
  const bound = useCall(towerVideo, { query: { id: deviceId } }, { quiet: true, enabled: may && deviceId !== '', staleMs: 300_000 })
  const [camera, ...more] = bound.data?.cameras ?? []
  if (!may || !camera) return null
  return (
    <Panel
      title="吊钩画面"
      actions={
        <Link to={hrefOf('/tower/playing', { deviceId })}>
          <Button size="small">{more.length > 0 ? `全部 ${more.length + 1} 路` : '放大'}</Button>
        </Link>
      }
    >
      <VideoTile
        key={camera.deviceId}
        deviceId={camera.deviceId}
        name={camera.name}
        place={camera.place ?? undefined}
        mode={active ? 'live' : 'rest'}
      />
    </Panel>
  )
}
