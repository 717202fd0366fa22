import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { directionNames, directions, vehicleTypeNames, washSecondsWanted } from '@zhugong/contract/monitoring/gateway/passage-codes'
import { getPassage } from '@zhugong/contract/monitoring/gateway/passages'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { DetailShell, NothingChosen } from '#kit/detail-shell.tsx'
import { Card, Empty, Pairs, Tag } from '#kit/feedback.tsx'
import { day, measure, span, time } from '#kit/format.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import '../family.css'
import { FixLog } from '../fix-log.tsx'
import './gateway.css'
import { PassageCorrection } from './passage-correction.tsx'
import { PairLine } from './passage-pair.tsx'
import { CoverTag, mustBeClean, Plate, WashTag } from './passage-words.tsx'
import { WashBar } from './wash-bar.tsx'

type Passage = OutputFor<typeof getPassage>

/** Details of a passage and related records. */
export default function PassagePage() {
  const id = usePageQuery().get('id') ?? ''
  const file = useCall(getPassage, { params: { id } }, { quiet: true, enabled: id !== '', staleMs: 0 })
  if (id === '')
    return (
      <NothingChosen title="车辆出入详情" thing="通行" one="一次通行" from={{ path: '/vehicleAccessRecord/list', name: '车辆出入记录' }} />
    )
  const passage = file.data
  return (
    <DetailShell
      title={passage ? `${passage.plateNo} ${directionNames[passage.direction] ?? ''}` : undefined}
      loading={file.isPending}
      error={file.error}
      retry={file.refetch}
      place={passage && { projectCode: passage.projectCode }}
      tags={
        passage && (
          <>
            <Plate plateNo={passage.plateNo} color={passage.plateColor} />
            {passage.alarms.map((one) => (
              <Tag key={one} tone="danger">
                {one}
              </Tag>
            ))}
            {passage.inside && <Tag tone="running">在场</Tag>}
            {passage.corrected && <Tag tone="warning">已更正</Tag>}
            {passage.unreadable && <Tag tone="warning">车牌无法辨认</Tag>}
          </>
        )
      }
      facts={
        passage
          ? [
              { label: '时间', value: time(passage.time) },
              { label: '大门', value: passage.gateName },
              { label: '项目', value: passage.projectName },
              {
                label: passage.inside ? '已停留' : '停留',
                value: passage.stayMinutes === null ? null : span(passage.stayMinutes * 60_000),
              },
            ]
          : []
      }
      actions={passage && <Steps passage={passage} />}
    >
      {passage && <Shown passage={passage} />}
    </DetailShell>
  )
}

function Steps({ passage }: { passage: Passage }) {
  const go = useGo()
  const [correcting, setCorrecting] = useState(false)
  const open = (id: string | null) => id !== null && go('/vehicleAccessRecord/details', { id }, { replace: true })
  return (
    <>
      <Button disabled={passage.previousId === null} onClick={() => open(passage.previousId)}>
        该车上一次
      </Button>
      <Button disabled={passage.nextId === null} onClick={() => open(passage.nextId)}>
        该车下一次
      </Button>
      {passage.mayCorrect && <Button onClick={() => setCorrecting(true)}>更正</Button>}
      <PassageCorrection passage={passage} open={correcting} onClose={() => setCorrecting(false)} />
    </>
  )
}

function Shown({ passage }: { passage: Passage }) {
  return (
    <div className="gate-page">
      <div className="gate-two">
        <Card title="抓拍">
          {passage.photo || passage.platePhoto ? (
            <div className="fam-acts">
              <Thumb src={passage.photo} name="车头照" width={300} height={200} />
              <Thumb src={passage.platePhoto} name="车牌照" width={200} height={80} />
            </div>
          ) : (
            <Empty small text="这次通行没有照片" hint="车行道相机没有上传，或照片已过保留期" />
          )}
        </Card>
        <Card title="通行">
          {passage.direction === directions.outward && (
            <WashBar seconds={passage.washSeconds} wanted={washSecondsWanted} needed={mustBeClean(passage)} />
          )}
          <Pairs
            items={[
              {
                label: '车型',
                value: passage.vehicleType === null ? null : (vehicleTypeNames[passage.vehicleType] ?? passage.vehicleType),
              },
              {
                label: '登记车辆',
                value: passage.barred ? (
                  <Tag tone="danger">黑名单</Tag>
                ) : passage.registered === null ? null : passage.registered ? (
                  '是'
                ) : (
                  '未登记'
                ),
              },
              { label: '运输单位', value: passage.transportCorp },
              {
                label: '准运证',
                value:
                  passage.permitNo === null
                    ? null
                    : `${passage.permitNo}${passage.permitUntil === null ? '' : `，至 ${passage.permitUntil}${passage.permitUntil < day(passage.time) ? '（已过期）' : ''}`}`,
              },
              { label: '冲洗', value: <WashTag passed={passage} /> },
              { label: '密闭', value: <CoverTag passed={passage} /> },
              { label: '车牌置信度', value: passage.confidence === null ? null : passage.confidence.toFixed(2) },
              { label: '平台接收', value: time(passage.receivedAt) },
            ]}
          />
        </Card>
      </div>
      <div className="gate-two">
        <Related passage={passage} />
        <Month passage={passage} />
      </div>
      <FixLog steps={passage.log} none="没有更正或人工配对过" hint="所有值都是车行道相机识别的，按车牌配对" />
    </div>
  )
}

/** Related records: the other half, the weighing, the truck's track. */
function Related({ passage }: { passage: Passage }) {
  const mayWeigh = useCan('weighbridge.view')
  const mayTrack = useCan('vehicle.track')
  return (
    <Card title="关联" remark="同一车牌；相机与地磅的时钟可能不同，差值写明">
      <ul className="fam-alarms">
        <li>
          <PairLine passage={passage} />
        </li>
        {passage.tickets.map((ticket) => (
          <li key={ticket.id}>
            {mayWeigh ? (
              <Link to={hrefOf('/loadometer/detail', { id: ticket.id })}>磅单 {ticket.billNo}</Link>
            ) : (
              <span>磅单 {ticket.billNo}</span>
            )}
            <span className="zg-2">
              {ticket.actualWeight === null ? '待二次过磅' : `实重 ${measure(ticket.actualWeight, 3)} t`}，
              {`过磅${ticket.differenceSeconds < 0 ? '早' : '晚'} ${span(Math.abs(ticket.differenceSeconds) * 1000)}`}
            </span>
          </li>
        ))}
        {passage.tickets.length === 0 && (
          <li>
            <span className="zg-2">前后 2 小时没有该车的磅单</span>
          </li>
        )}
        <li>
          {passage.truckId === null ? (
            <span className="zg-2">该车没有登记车载终端，无轨迹</span>
          ) : mayTrack ? (
            <Link to={hrefOf('/vehicle/track', { deviceId: passage.truckId, period: `${day(passage.time)},${day(passage.time)}` })}>
              {day(passage.time)} 的轨迹
            </Link>
          ) : (
            <span className="zg-2">没有查看轨迹的权限</span>
          )}
        </li>
      </ul>
    </Card>
  )
}

function Month({ passage }: { passage: Passage }) {
  const sum = passage.month.reduce((all, one) => all + one.passages, 0)
  const bad = passage.month.reduce((all, one) => all + one.violations, 0)
  return (
    <Card title="近 30 天" remark={`通行 ${sum} 次，违规 ${bad} 次（未冲洗、冲洗不足、未密闭出场）`}>
      <div className="gate-month">
        {passage.month.map((one) => (
          <div
            key={one.day}
            data-state={one.violations > 0 ? 'bad' : one.passages > 0 ? 'fine' : undefined}
            title={`${one.day}：通行 ${one.passages} 次，违规 ${one.violations} 次`}
          >
            <small>{one.day.slice(8)} 日</small>
            {one.passages === 0 ? '--' : one.violations > 0 ? `违 ${one.violations}` : one.passages}
          </div>
        ))}
      </div>
    </Card>
  )
}
