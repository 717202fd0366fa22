import { SoundOutlined } from '@ant-design/icons'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { type towerDevice, towerVideo } from '@zhugong/contract/monitoring/crane/crane-endpoints'
import { bindCraneCameras } from '@zhugong/contract/monitoring/crane/machine-cameras'
import { Button, Tooltip } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Empty } from '#kit/feedback.tsx'
import { PageModal } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import { CabinWarn } from '../cabin-warn.tsx'
import { shortName } from '../crane-state.ts'
import type { Desk } from '../family-monitor.tsx'
import { MonitorActions } from '../monitor-actions.tsx'
import { CraneCameras } from './crane-cameras.tsx'
import { CraneZones } from './crane-zones.tsx'
import '../family.css'

type File = OutputFor<typeof towerDevice>

const usualTexts = ['力矩接近限值，请减载', '注意邻塔，放慢回转', '风速偏大，请停止起吊']

/** Actions for a crane: warning to the driver, video, static distances, maintenance. */
export function CraneActions({ desk, file }: { desk: Desk; file: File | undefined }) {
  const [dialog, setDialog] = useState<'warn' | 'check' | 'zones' | 'cameras'>()
  const mayWarn = useCan('tower-crane.warn')
  const mayWatch = useCan('tower-crane.video')
  const video = useCall(towerVideo, { query: { id: desk.selected } }, { quiet: true, enabled: mayWatch, staleMs: 300_000 })
  const own = file?.deviceId === desk.selected ? file : undefined
  const refused = own?.warnRefused ?? (desk.device?.online === false ? '塔机离线，喊话不能送达' : undefined)
  const close = () => setDialog(undefined)
  return (
    <>
      <MonitorActions
        desk={desk}
        service={{ label: '报维护（顶升、拆除）', kind: 'jacking' }}
        more={[
          {
            label: '吊钩视频',
            needs: 'tower-crane.video',
            href: hrefOf('/tower/playing', { deviceId: desk.selected }),
            disabled: video.data?.cameras.length === 0 && '该塔机未绑定摄像机',
          },
          {
            label: '绑定摄像机',
            needs: bindCraneCameras,
            onClick: () => setDialog('cameras'),
          },
          { label: '禁吊区', onClick: () => setDialog('zones') },
          { label: `静态校核 ${file?.staticCheck.length ?? 0} 项`, onClick: () => setDialog('check') },
        ]}
      >
        {mayWarn && (
          <Tooltip title={refused}>
            <Button icon={<SoundOutlined />} disabled={Boolean(refused)} onClick={() => setDialog('warn')}>
              司机提醒
            </Button>
          </Tooltip>
        )}
      </MonitorActions>
      {dialog === 'warn' && (
        <CabinWarn deviceId={desk.selected} place={`${shortName(desk.device?.name ?? '')} 驾驶室`} usual={usualTexts} onClose={close} />
      )}
      {dialog === 'cameras' && (
        <CraneCameras
          deviceId={desk.selected}
          name={desk.device?.name ?? ''}
          projectCode={desk.device?.projectCode ?? desk.projectCode}
          onClose={close}
        />
      )}
      {dialog === 'zones' && <CraneZones projectCode={desk.projectCode} site={desk.site} onClose={close} />}
      {dialog === 'check' && <StaticCheck file={file} onClose={close} />}
    </>
  )
}

/** Distances between cranes by their positions alone; GB 5144 requires 2 m. */
function StaticCheck({ file, onClose }: { file: File | undefined; onClose: () => void }) {
  const found = file?.staticCheck ?? []
  return (
    <PageModal open width={520} title="群塔静态校核" footer={null} onCancel={onClose}>
      <p className="zg-2">
        按档案中的坐标、臂长与高度校核 {file?.cranes.length ?? 0} 台塔机：臂端与邻塔塔身、上下两臂之间不小于 2 m（GB 5144）。
      </p>
      {found.length === 0 ? (
        <Empty small text="没有不满足的塔机对" hint="改动坐标、臂长或高度后自动重新校核" />
      ) : (
        <ul>
          {found.map((one) => (
            <li key={`${one.a}${one.b}${one.kind}`} className="tone-danger">
              {one.text}
            </li>
          ))}
        </ul>
      )}
    </PageModal>
  )
}
