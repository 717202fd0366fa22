import { pileKinds } from '@zhugong/contract/monitoring/pile/pile-kinds'
import { judgePile, type PileDetail, type PileEntry, pileDetail, pilePrint } from '@zhugong/contract/monitoring/pile/pile-register'
import { addPileTest, integrity, integrityNames, type PileTest, pileTestKinds } from '@zhugong/contract/monitoring/pile/pile-tests'
import { pileVerdictNames, settlementLimit } from '@zhugong/contract/monitoring/pile/pile-verdict'
import { Button } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { At, Can } from '#kit/can.tsx'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { DetailSkeleton, ErrorPanel, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { measure, thousands, time } from '#kit/format.ts'
import { usePrint } from '#kit/use-print.ts'
import { RecordPanel } from '../family-record.tsx'
import { ownPairs } from './own-pairs.ts'
import { JudgeForm, TestForm } from './pile-forms.tsx'
import { RunProfile } from './run-profile.tsx'

/** Assumed duration of a record without a start: no pile takes longer. */
const usualMs = 3_600_000
const tones = { '1': 'fine', '2': 'warning', '0': 'danger' } as const

/** Panel of a pile: design, records, tests, proposed and decided verdict. */
export function PileCard({ pile, onClose }: { pile: PileEntry; onClose: () => void }) {
  const detail = useCall(pileDetail, { params: { id: pile.id }, query: { projectCode: pile.projectCode } }, { quiet: true })
  return (
    <RecordPanel title={pile.pileNo} remark={[pileKinds[pile.kind], pile.axis].filter(Boolean).join('，')} onClose={onClose}>
      {detail.data ? (
        <At projectCode={pile.projectCode}>
          <Shown pile={detail.data} />
        </At>
      ) : detail.error ? (
        <ErrorPanel error={detail.error} retry={detail.refetch} />
      ) : (
        <DetailSkeleton />
      )}
    </RecordPanel>
  )
}

function Shown({ pile }: { pile: PileDetail }) {
  const [form, setForm] = useState<'judge' | 'test'>()
  const print = usePrint(pilePrint)
  const [run] = pile.made
  return (
    <>
      <Pairs
        items={[
          { label: '设计桩长', value: `${measure(pile.designLength)} m` },
          { label: '设计孔深', value: pile.designDepth === null ? null : `${measure(pile.designDepth)} m` },
          { label: '桩径', value: pile.diameter === null ? null : `${pile.diameter} mm` },
          { label: '混凝土', value: pile.concrete },
          { label: '计划日期', value: pile.plannedOn },
          { label: '成桩', value: run ? time(run.time).slice(0, 16) : pile.madeOn && `${pile.madeOn}（手填）` },
        ]}
      />
      <Judgement pile={pile} />
      <p className="pile-acts">
        <Can call={judgePile}>
          <Button type="primary" disabled={pile.madeAt === null} onClick={() => setForm('judge')}>
            判定
          </Button>
        </Can>
        <Can call={addPileTest}>
          <Button onClick={() => setForm('test')}>录入检测</Button>
        </Can>
        <Button
          loading={print.running}
          onClick={() => void print.run({ body: { feature: pilePrint, exportType: 'pdf', query: { id: pile.id } } })}
        >
          打印记录表
        </Button>
      </p>
      <h3>成桩记录</h3>
      {pile.made.length === 0 && <p className="zg-2">没有桩机记录归入这根桩</p>}
      {pile.made.map((one, i) => (
        <section key={one.key} className="pile-entry" aria-label={`成桩记录 ${time(one.time)}`}>
          <p>
            <b>{time(one.time).slice(0, 16)}</b> {one.deviceName}
            {i > 0 && <span className="zg-2">（以前的记录，不计）</span>}
          </p>
          <Pairs
            items={[
              { label: '终孔深度', value: `${measure(one.finalDepth)} m` },
              { label: '垂直度', value: `${measure(one.maxVerticality)} %` },
              ...ownPairs(one),
              { label: '桩机所报', value: one.pileNo ?? '未指定桩号' },
            ]}
          />
          {i === 0 && (
            <RunProfile
              run={{
                deviceId: one.deviceId,
                name: pile.pileNo,
                from: one.startTime ?? one.time - usualMs,
                to: one.time,
                finalDepth: one.finalDepth,
                maxVerticality: one.maxVerticality,
              }}
              kind={pile.kind}
              designDepth={pile.designDepth ?? pile.designLength}
              designGrout={one.designGrout}
              designPressure={one.designPressure}
            />
          )}
          {one.doubts.length > 0 && <p className="tone-warning">{one.doubts.join('，')}</p>}
          {one.assignedBy && (
            <p className="zg-2">
              {one.assignedBy} 归入：{one.assignedReason}
            </p>
          )}
        </section>
      ))}
      <h3>检测</h3>
      {pile.tested.length === 0 && <p className="zg-2">没有检测结果</p>}
      {pile.tested.map((one) => (
        <TestEntry key={one.id} test={one} />
      ))}
      {form === 'judge' && <JudgeForm pile={pile} onClose={() => setForm(undefined)} />}
      {form === 'test' && <TestForm pile={pile} onClose={() => setForm(undefined)} />}
    </>
  )
}

function Judgement({ pile }: { pile: PileDetail }) {
  const { verdict, grounds } = pile.proposal
  return (
    <>
      <h3>判定</h3>
      <Notice tone={verdict === null ? 'info' : tones[verdict]}>
        数据建议：{verdict === null ? '无' : pileVerdictNames[verdict]}。{grounds.join('；')}
      </Notice>
      {pile.verdicts.length === 0 && <p className="zg-2">尚未判定</p>}
      {pile.verdicts.map((one, i) => (
        <section key={one.id} className="pile-entry" aria-label={`判定 ${time(one.at)}`}>
          <p>
            <Tag tone={i === 0 ? tones[one.verdict] : 'neutral'}>{pileVerdictNames[one.verdict]}</Tag> {one.reason}
          </p>
          <p className="zg-2">
            {one.byName}，{one.byGroup}，{time(one.at).slice(0, 16)}
            {one.proposed !== null && one.proposed !== one.verdict && `；当时数据建议 ${pileVerdictNames[one.proposed]}`}
          </p>
        </section>
      ))}
    </>
  )
}

function TestEntry({ test }: { test: PileTest }) {
  const isLoad = test.kind === 'staticLoad'
  const isBad = isLoad ? test.isPassed === false || (test.settlement ?? 0) > settlementLimit : test.integrity === integrity.severe
  return (
    <section className="pile-entry" aria-label={`${pileTestKinds[test.kind]} ${test.testedOn}`}>
      <p>
        <b>{pileTestKinds[test.kind]}</b> {test.testedOn}{' '}
        <Tag tone={isBad ? 'danger' : test.integrity === integrity.marked ? 'warning' : 'fine'}>
          {isLoad ? `承载力${test.isPassed ? '满足' : '不满足'}` : test.integrity && integrityNames[test.integrity]}
        </Tag>
      </p>
      <p className="zg-2">
        {[test.tester, test.report, isLoad ? `最大 ${thousands(test.maxLoad)} kN，沉降 ${measure(test.settlement)} mm` : undefined]
          .filter(Boolean)
          .join('，')}
        {test.waveSpeed !== null && `，波速 ${test.waveSpeed} m/s`}
      </p>
      {test.note && <p>{test.note}</p>}
      {isLoad && <Chart height={200} label={`静载 荷载沉降曲线 ${test.testedOn}`} option={loadOption(test)} />}
    </section>
  )
}

/** Settlement is drawn downwards, as in test reports; the line is the limit. */
export function loadOption({ steps }: Pick<PileTest, 'steps'>): ChartOption {
  return {
    grid: { left: 44, right: 16, top: 16, bottom: 36 },
    tooltip: { trigger: 'axis' },
    xAxis: { type: 'value', name: 'kN', nameLocation: 'end', min: 0 },
    yAxis: {
      type: 'value',
      name: 'mm',
      inverse: true,
      min: 0,
      max: (value: { max: number }) => Math.max(settlementLimit * 1.1, value.max * 1.1),
    },
    series: [
      {
        type: 'line',
        name: '沉降',
        data: [[0, 0], ...steps],
        symbolSize: 5,
        lineStyle: { color: colors.primary },
        itemStyle: { color: colors.primary },
        markLine: {
          symbol: 'none',
          lineStyle: { color: colors.danger, type: 'dashed' },
          data: [{ yAxis: settlementLimit, label: { formatter: `${settlementLimit} mm`, position: 'insideEndTop' } }],
        },
      },
    ],
  }
}
