import { changeExamine, type ExamineDetail } from '@zhugong/contract/examine/calls'
import { rectifyPeople } from '@zhugong/contract/rectify/calls'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Card } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { emptyProblem, FailFields, Labelled } from '../checks/public.tsx'
import { anyProject } from './examine-words.tsx'

/** A problem found at a second look: it becomes a notice at once, the score stays. */
export function Supplement({ file, onDone }: { file: ExamineDetail; onDone: () => void }) {
  const people = useCall(rectifyPeople, { query: { projectCode: file.projectCode } }, { quiet: true })
  const act = useAct(changeExamine, { success: '整改单已下发', onDone })
  const [problem, setProblem] = useState(() => emptyProblem())
  const items = file.sheets.flatMap((sheet) =>
    sheet.items.map((one) => ({ value: one.itemCode, label: `${sheet.name} · ${one.name}`, part: sheet.label || sheet.name })),
  )
  const fault = (name: string) => act.fieldErrors[`problems.0.${name}`]
  const send = () =>
    act.run(
      {
        params: { id: file.id },
        query: anyProject,
        body: {
          action: 'supplement',
          version: file.version,
          problems: [{ ...problem, itemCode: problem.itemCode ?? '' }],
        },
      },
      { fieldsShown: true },
    )
  return (
    <Card title="补充整改" remark="复看时发现的问题，立即下发整改单；得分不变">
      <Labelled label="检查项" problem={fault('itemCode')}>
        {(id) => (
          <Choice
            id={id}
            options={[...new Map(items.map((one) => [one.value, one])).values()]}
            value={problem.itemCode ?? null}
            onChange={(code) =>
              setProblem({
                ...problem,
                itemCode: code ?? null,
                part: problem.part || (items.find((one) => one.value === code)?.part ?? ''),
              })
            }
          />
        )}
      </Labelled>
      <Labelled label="部位" problem={fault('part')}>
        {(id) => (
          <Input id={id} maxLength={100} value={problem.part} onChange={(event) => setProblem({ ...problem, part: event.target.value })} />
        )}
      </Labelled>
      <FailFields
        value={problem}
        corps={people.data?.corps ?? []}
        levels
        faults={Object.fromEntries(Object.entries(act.fieldErrors).map(([field, words]) => [field.replace('problems.0.', ''), words]))}
        onChange={(more) => setProblem({ ...problem, ...more })}
      />
      <p className="zg-row zg-gap-6">
        <Button type="primary" loading={act.running} onClick={() => void send()}>
          下发整改
        </Button>
        <Button onClick={onDone}>取消</Button>
      </p>
    </Card>
  )
}
