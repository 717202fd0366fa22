import { changeMeasureTask, type MeasureTaskDetail } from '@zhugong/contract/measuring/tasks'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { Card, DetailSkeleton } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { useFieldAct } from '#kit/field/use-field-act.ts'
import { anyProject, Labelled, paths } from './words.tsx'

/** The responsible company reports what it mended. */
export function FixForm({ task, onDone }: { task: MeasureTaskDetail; onDone: () => void }) {
  const [fresh] = useState({ note: '', photos: [] as string[] })
  const [draft, hold, clear] = useDeviceDraft(`measure fix ${task.id} ${task.version}`, fresh)
  const leave = () => {
    clear()
    onDone()
  }
  const act = useFieldAct(changeMeasureTask, { success: '整改已提交，等待复测', onDone: leave, onKept: leave })
  if (!draft) return <DetailSkeleton />
  const send = () =>
    act.run(
      { query: anyProject, body: { action: 'fix', id: task.id, version: task.version, ...draft } },
      {
        id: `measure ${task.id} fix ${task.version}`,
        title: `整改测点 ${task.taskName}`,
        page: `${paths.tasks}?task=${task.id}`,
        lines: [{ label: '整改', text: draft.note }],
      },
    )
  return (
    <Card title="提交整改" remark={`${task.currentPoints - task.qualifiedPoints} 个不合格测点，见下表中标红的测点`}>
      <div className="measuring-form">
        <Labelled label="整改情况" error={act.fieldErrors.note}>
          {(id) => (
            <Input.TextArea
              id={id}
              rows={2}
              maxLength={500}
              value={draft.note}
              onChange={(event) => hold({ ...draft, note: event.target.value })}
            />
          )}
        </Labelled>
        <Labelled label="整改后照片" error={act.fieldErrors.photos}>
          {(id) => <FieldPhotos id={id} max={9} value={draft.photos} onChange={(photos) => hold({ ...draft, photos })} />}
        </Labelled>
        <div>
          <Button type="primary" size="large" loading={act.running} onClick={() => void send()}>
            提交整改
          </Button>
        </div>
      </div>
    </Card>
  )
}
