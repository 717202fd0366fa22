import { tryFlow } from '@zhugong/contract/workflow/endpoints'
import type { FlowNode } from '@zhugong/contract/workflow/flow'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Card, Tag } from '#kit/feedback.tsx'
import { Choice, NumberInput } from '#kit/inputs.tsx'
import type { Setting } from './flow-words.ts'

type Facts = Record<string, number | boolean | string>

/** 试跑: the steps and approvers of a sample item, by name. */
export function FlowTrial({ setting, nodes }: { setting: Setting; nodes: readonly FlowNode[] }) {
  const [applicantId, setApplicant] = useState<string>()
  const [projectCode, setProject] = useState<string>()
  const [facts, setFacts] = useState<Facts>({})
  const trial = useAct(tryFlow, { success: false, refreshes: [] })
  const [steps, setSteps] =
    useState<
      readonly { key: string; name: string; meant: boolean; empty: boolean; people: readonly { name: string; groupName: string }[] }[]
    >()
  const dependsOnItem = (key: string) =>
    nodes.find((node) => node.key === key)?.places.some((place) => place === 'named' || place === 'corp')
  const run = async () => {
    const done = await trial.run({ body: { bizType: setting.kind, nodes: [...nodes], applicantId, projectCode, facts } })
    if (done) setSteps(done.data.steps)
  }
  return (
    <Card title="试跑" remark="不产生事项">
      <div className="flow-column">
        <Choice
          aria-label="发起人"
          placeholder="由谁发起"
          value={applicantId}
          onChange={setApplicant}
          options={setting.people.map((p) => ({ value: p.id, label: p.name }))}
        />
        {setting.projects.length > 0 && (
          <Choice
            aria-label="项目"
            placeholder="哪个项目"
            value={projectCode}
            onChange={setProject}
            options={setting.projects.map((p) => ({ value: p.projectCode, label: p.name }))}
          />
        )}
        {setting.facts.map((fact) =>
          fact.type === 'flag' ? (
            <Checkbox
              key={fact.key}
              checked={facts[fact.key] === true}
              onChange={(event) => setFacts({ ...facts, [fact.key]: event.target.checked })}
            >
              {fact.label}
            </Checkbox>
          ) : fact.type === 'number' ? (
            <NumberInput
              key={fact.key}
              aria-label={fact.label}
              placeholder={fact.label}
              value={typeof facts[fact.key] === 'number' ? (facts[fact.key] as number) : undefined}
              onChange={(value) => setFacts({ ...facts, [fact.key]: value ?? 0 })}
            />
          ) : (
            <Choice
              key={fact.key}
              aria-label={fact.label}
              placeholder={fact.label}
              value={typeof facts[fact.key] === 'string' ? (facts[fact.key] as string) : undefined}
              onChange={(value) => setFacts({ ...facts, [fact.key]: value ?? '' })}
              options={fact.options}
            />
          ),
        )}
        <Button disabled={nodes.length === 0} loading={trial.running} onClick={() => void run()}>
          试跑
        </Button>
        {steps && (
          <ol className="flow-steps">
            {steps.map((step) => (
              <li key={step.key}>
                <b>{step.name}</b>{' '}
                {!step.meant ? <Tag icon={false}>不需要</Tag> : step.empty ? <Tag tone="danger">无人，转管理员</Tag> : null}
                {step.meant && (
                  <div className="zg-2">
                    {step.people.map((p) => `${p.name}（${p.groupName}）`).join('、') ||
                      (dependsOnItem(step.key) ? '由具体事项确定' : '选择项目后可见')}
                  </div>
                )}
              </li>
            ))}
          </ol>
        )}
      </div>
    </Card>
  )
}
