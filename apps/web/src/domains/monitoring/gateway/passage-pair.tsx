import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { directionNames, directions } from '@zhugong/contract/monitoring/gateway/passage-codes'
import { joinPassages, listPairable, longestStayDays, partPassages } from '@zhugong/contract/monitoring/gateway/passage-pairs'
import { getPassage, listPassages } from '@zhugong/contract/monitoring/gateway/passages'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { DetailSkeleton, Empty, ErrorPanel, Tag } from '#kit/feedback.tsx'
import { span, time } from '#kit/format.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import { Pager } from '#kit/pager.tsx'
import { Thumb } from '#kit/viewers.tsx'
import '../family.css'
import { Plate } from './passage-words.tsx'

type Passage = OutputFor<typeof getPassage>
const refreshes = [getPassage, listPassages, listPairable]
const pageSize = 10

/** The other half of a passage, paired by plate or by hand, with actions to pair and separate. */
export function PairLine({ passage }: { passage: Passage }) {
  const { id, pair, projectCode } = passage
  const [choosing, setChoosing] = useState(false)
  const part = useAct(partPassages, { success: '已解除配对，在场与停留按现在的配对统计', refreshes })
  const askPart = async () => {
    const reason = await askReason('解除这次进出场的配对', '解除原因')
    if (reason) await part.run({ params: { id }, query: { projectCode, reason } })
  }
  return (
    <>
      {pair ? (
        <>
          <Link to={hrefOf('/vehicleAccessRecord/details', { id: pair.id })}>
            {directionNames[pair.direction]} {time(pair.time).slice(5)}
          </Link>
          <span className="zg-2">
            {pair.gateName}
            {pair.plateNo !== passage.plateNo && `，${pair.plateNo}`}
            {passage.stayMinutes !== null && `，场内 ${span(passage.stayMinutes * 60_000)}`}
          </span>
          {passage.paired === 'hand' && <Tag tone="neutral">人工配对</Tag>}
        </>
      ) : (
        <span className="zg-2">{passage.inside ? '还没有出场' : '没有配对的进场或出场'}</span>
      )}
      {passage.mayCorrect && passage.paired !== 'hand' && (
        <Button size="small" onClick={() => setChoosing(true)}>
          {pair ? '改配对' : '人工配对'}
        </Button>
      )}
      {passage.mayCorrect && pair && (
        <Button size="small" loading={part.running} onClick={() => void askPart()}>
          解除配对
        </Button>
      )}
      <PageDrawer open={choosing} size={720} title="人工配对" onClose={() => setChoosing(false)}>
        <Halves passage={passage} onDone={() => setChoosing(false)} />
      </PageDrawer>
    </>
  )
}

/** Candidates for the other half: similar plates first, then by time. */
function Halves({ passage, onDone }: { passage: Passage; onDone: () => void }) {
  const { id, projectCode } = passage
  const isEntry = passage.direction === directions.inward
  const other = isEntry ? '出场' : '进场'
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useCall(
    listPairable,
    { params: { id }, query: { projectCode, page, size: pageSize } },
    { quiet: true, keepPrevious: true },
  )
  const act = useAct(joinPassages, { success: '已配对，在场与停留按现在的配对统计', refreshes, onDone })
  const join = async (half: string) => {
    const reason = await askReason(`与这条${other}记录配为一对`, '配对原因，如照片核对为同一辆车')
    if (reason) await act.run({ query: { projectCode }, body: { entryId: isEntry ? id : half, exitId: isEntry ? half : id, reason } })
  }
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  if (data.total === 0)
    return <Empty small text={`${isEntry ? '之后' : '之前'} ${longestStayDays} 天没有可配对的${other}记录`} hint="已人工配对的不在其中" />
  return (
    <>
      <p className="zg-2">
        {`${passage.plateNo} ${directionNames[passage.direction] ?? ''} ${time(passage.time)}；${isEntry ? '之后' : '之前'} ${longestStayDays} 天的${other}，车牌相近的在前`}
      </p>
      <table className="fam-table fam-kept">
        <thead>
          <tr>
            <th>照片</th>
            <th>车牌</th>
            <th>{other}时间</th>
            <th>停留</th>
            <th>现在的配对</th>
            <th>操作</th>
          </tr>
        </thead>
        <tbody>
          {data.list.map((one) => (
            <tr key={one.id}>
              <td>
                <Thumb src={one.photo} name={`${one.plateNo} 车头照`} width={56} height={36} />
              </td>
              <td>
                <Plate plateNo={one.plateNo} color={one.plateColor} />
              </td>
              <td>{time(one.time)}</td>
              <td>{span(Math.abs(one.time - passage.time))}</td>
              <td>{one.paired === null ? '无' : '按车牌'}</td>
              <td>
                <Button size="small" loading={act.running} onClick={() => void join(one.id)}>
                  配为一对
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pager compact list={{ page, size: pageSize, total: data.total, setPage, setSize: () => undefined }} />
    </>
  )
}
