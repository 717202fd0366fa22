import { judgeArea, pointResults, toleranceWords } from '@zhugong/contract/measuring/judge'
import { taskStates } from '@zhugong/contract/measuring/moves'
import { changeMeasureTask, type MeasureTaskDetail } from '@zhugong/contract/measuring/tasks'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { Card, DetailSkeleton } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { useFieldAct } from '#kit/field/use-field-act.ts'
import { NumberInput } from '#kit/inputs.tsx'
import { Evidence } from '#kit/work-item.tsx'
import { keyOf } from './held.ts'
import { anyProject, paths, ResultTag } from './words.tsx'

/** Failed points are measured again; the verdict is seen while typing. */
export function RetestForm({ task, onDone }: { task: MeasureTaskDetail; onDone: () => void }) {
  const [fresh] = useState({ values: {} as Record<string, (number | null)[]>, opinion: '' })
  const [draft, hold, clear] = useDeviceDraft(`measure retest ${task.id} ${task.version}`, fresh)
  const leave = () => {
    clear()
    onDone()
  }
  const act = useFieldAct(changeMeasureTask, {
    success: (data) => (data?.state === taskStates.done ? '复测合格，任务完成' : '复测仍不合格，退回整改'),
    onDone: leave,
    onKept: leave,
  })
  if (!draft) return <DetailSkeleton />
  const places = new Map(task.places.map((one) => [one.id, one.name]))
  const failed = task.areas.flatMap((area) => {
    const item = task.items.find((one) => one.no === area.itemNo)
    const points = area.points.filter((one) => (one.retestResult ?? one.result) !== pointResults.passed)
    return item && points.length > 0 ? [{ area, item, points, key: keyOf(area.placeId, area.itemNo, area.areaNo) }] : []
  })
  const open = failed.reduce(
    (n, { key, points }) => n + points.filter((one) => (draft.values[key]?.[one.pointNo - 1] ?? null) === null).length,
    0,
  )
  const send = () =>
    act.run(
      {
        query: anyProject,
        body: {
          action: 'retest',
          id: task.id,
          version: task.version,
          opinion: draft.opinion,
          retests: failed.map(({ area, item, key }) => ({
            placeId: area.placeId,
            itemNo: area.itemNo,
            areaNo: area.areaNo,
            values: Array.from({ length: item.pointCount }, (_, i) => draft.values[key]?.[i] ?? null),
          })),
        },
      },
      {
        id: `measure ${task.id} retest ${task.version}`,
        title: `复测 ${task.taskName}`,
        page: `${paths.tasks}?task=${task.id}`,
        lines: [{ label: '复测', text: `${failed.length} 个测区` }],
      },
    )
  return (
    <Card title="复测不合格测点" remark={open > 0 ? `还有 ${open} 点未复测` : '全部复测'}>
      <Evidence text={task.fixNote} photos={task.fixPhotos} name="整改后" />
      <ul className="measuring-retests">
        {failed.map(({ area, item, points, key }) => {
          const values = Array.from({ length: item.pointCount }, (_, i) => draft.values[key]?.[i] ?? null)
          const verdicts = judgeArea(item, area.designValue, values)
          return points.map((point) => (
            <li key={point.id}>
              <span className="zg-line" title={`${places.get(area.placeId)} ${item.standardName}`}>
                {places.get(area.placeId)} {item.standardName} 测区 {area.areaNo} 测点 {point.pointNo}
              </span>
              <span className="zg-2 zg-num">
                原 {point.value}，允许 {toleranceWords(item, item.unit)}
              </span>
              <NumberInput
                aria-label={`${item.standardName}测区 ${area.areaNo} 测点 ${point.pointNo} 复测值`}
                precision={2}
                value={values[point.pointNo - 1] ?? undefined}
                onChange={(value) =>
                  hold({
                    ...draft,
                    values: { ...draft.values, [key]: values.map((one, i) => (i === point.pointNo - 1 ? (value ?? null) : one)) },
                  })
                }
              />
              <ResultTag result={verdicts[point.pointNo - 1]?.result ?? null} />
            </li>
          ))
        })}
      </ul>
      {act.fieldErrors.retests && (
        <p className="tone-danger" role="alert">
          {act.fieldErrors.retests}
        </p>
      )}
      <div className="zg-row zg-gap-6">
        <Input
          aria-label="复测意见"
          placeholder="复测意见，可不填"
          maxLength={500}
          value={draft.opinion}
          onChange={(event) => hold({ ...draft, opinion: event.target.value })}
        />
        <Button type="primary" size="large" disabled={open > 0} loading={act.running} onClick={() => void send()}>
          提交复测
        </Button>
      </div>
    </Card>
  )
}
