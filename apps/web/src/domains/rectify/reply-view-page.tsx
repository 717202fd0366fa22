import { PrinterOutlined } from '@ant-design/icons'
import { groupTypes } from '@zhugong/contract/access/group-types'
import { getRectify, type RectifyDetail, type RectifyLine } from '@zhugong/contract/rectify/calls'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { Card, Empty, Notice, Tag } from '#kit/feedback.tsx'
import { useGroupType } from '#kit/me.ts'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { usePrint } from '#kit/use-print.ts'
import { WorkItem } from '#kit/work-item.tsx'
import { Compare } from './compare.tsx'
import { NeedsNotice } from './needs-notice.tsx'
import { Photos } from './rectify-problems.tsx'
import { pageOfNotice, RectifyStateTag } from './rectify-words.tsx'
import { ProxyTag, RoundFacts, VisitTag } from './reply-words.tsx'

/** How was each problem put right? Before and after by round, read only. */
export default function ReplyViewPage() {
  return <NeedsNotice>{(id) => <ReplyView id={id} />}</NeedsNotice>
}

function ReplyView({ id }: { id: string }) {
  const page = usePage()
  const go = useGo()
  const gov = useGroupType() === groupTypes.government
  const mayRecheck = useCan('supervision.rectifyRecheck')
  const wanted = Number(usePageQuery().get('round')) || undefined
  const [chosen, setChosen] = useState(wanted)
  const print = usePrint('rectifyReport')
  const read = useCall(getRectify, { params: { id } }, { quiet: true })
  const file = read.data
  const round = file?.rounds.find((one) => one.round === chosen) ?? file?.rounds.at(-1)
  return (
    <WorkItem
      title={file && (file.code ?? '整改单')}
      tags={
        file && (
          <>
            <RectifyStateTag row={file} /> {file.proxied && <ProxyTag />} {file.mustVisit && <VisitTag />}
          </>
        )
      }
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '责任单位', value: file.corpName },
              { label: '回复', value: `${file.rounds.length} 轮` },
              { label: '问题', value: `闭合 ${file.passedCount} / ${file.problemCount}` },
            ]
          : []
      }
      actions={
        file && (
          <span className="zg-row zg-gap-6">
            {file.actions.some((one) => one.action === 'recheckPass') && mayRecheck && (
              <Button type="primary" onClick={() => go('/jgt/project/shenhe', { id })}>
                复查
              </Button>
            )}
            {round && (
              <Can code="inspection.view">
                <Button
                  icon={<PrinterOutlined />}
                  loading={print.running}
                  onClick={() =>
                    void print.run({ body: { feature: 'rectifyReport', exportType: 'pdf', query: { id, round: round.round } } })
                  }
                >
                  打印整改报告
                </Button>
              </Can>
            )}
            <Button onClick={() => go(...pageOfNotice(file, gov))}>通知详情</Button>
          </span>
        )
      }
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <Card title="各轮回复" remark={`${file.rounds.length} 轮`}>
            {file.rounds.length === 0 && <p className="zg-2">{file.waiting}</p>}
            {[...file.rounds].reverse().map((one) => (
              <RoundFacts key={one.round} round={one} />
            ))}
          </Card>
        )
      }
    >
      {file && file.rounds.length > 1 && (
        <Segmented
          className="rectify-rounds"
          options={file.rounds.map((one) => ({ value: one.round, label: `第 ${one.round} 轮` }))}
          value={round?.round}
          onChange={setChosen}
        />
      )}
      {file && !round && <Empty text="还没有回复" hint={file.waiting} />}
      {file && round && <RoundLines file={file} round={round.round} />}
    </WorkItem>
  )
}

/** The problems answered in one round. */
function RoundLines({ file, round }: { file: RectifyDetail; round: number }) {
  const answered = file.lines.filter((line) => line.answers.some((one) => one.round === round && !one.draft))
  const others = file.lines.length - answered.length
  return (
    <>
      {others > 0 && (
        <Notice tone="info">
          本轮回复 {answered.length} 个问题，另 {others} 个已在其他轮回复。
        </Notice>
      )}
      {answered.map((line) => (
        <LineOfRound key={line.id} line={line} round={round} />
      ))}
    </>
  )
}

function LineOfRound({ line, round }: { line: RectifyLine; round: number }) {
  const answer = line.answers.find((one) => one.round === round && !one.draft)
  const [before] = line.photos
  const after = answer?.photos[0]
  const failed = answer?.recheckPassed === false || answer?.reviewPassed === false
  return (
    <Card
      title={`${line.seq}. ${line.part}`}
      remark={line.person ? `整改人 ${line.person}` : undefined}
      actions={failed ? <Tag tone="danger">不合格</Tag> : answer?.recheckPassed ? <Tag tone="fine">合格</Tag> : <Tag>未判定</Tag>}
    >
      <div className="rectify-sides">
        <div>
          <p>{line.description}</p>
          <p className="zg-2">要求：{line.requirement}</p>
          {line.clause && <p className="zg-2">依据：{line.clause}</p>}
          <Photos photos={line.photos} notes={line.photoNotes} name="整改前" />
        </div>
        {answer && (
          <div>
            <p>{answer.measure}</p>
            <p className="zg-2">
              {answer.byName} <span className="zg-num">{answer.at.slice(0, 16)}</span>
              {answer.doneDate && ` · 完成 ${answer.doneDate}`}
              {answer.person && ` · 整改人 ${answer.person}`}
            </p>
            <Photos photos={answer.photos} notes={answer.photoNotes} name="整改后" />
            {answer.reviewOpinion && <p>监理：{answer.reviewOpinion}</p>}
            {answer.recheckOpinion && <p className={answer.recheckPassed ? undefined : 'tone-danger'}>复查：{answer.recheckOpinion}</p>}
          </div>
        )}
      </div>
      {before && after && (
        <details>
          <summary>前后对比</summary>
          <Compare before={before} after={after} name={line.part} />
        </details>
      )}
    </Card>
  )
}
