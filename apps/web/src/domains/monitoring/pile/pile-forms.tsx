import { pileKinds } from '@zhugong/contract/monitoring/pile/pile-kinds'
import {
  createPile,
  judgePile,
  listPiles,
  type PileDetail,
  type PileEntry,
  pileDetail,
  updatePile,
} from '@zhugong/contract/monitoring/pile/pile-register'
import { addPileTest, integrityNames, pileTestKinds } from '@zhugong/contract/monitoring/pile/pile-tests'
import { pileVerdictNames } from '@zhugong/contract/monitoring/pile/pile-verdict'
import { findPiles } from '@zhugong/contract/monitoring/pile/piles'
import { Button, Input, Radio } from 'antd'
import { useAct } from '#kit/call.ts'
import { type BodyOf, FormDrawer, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, LongText, NumberInput } from '#kit/inputs.tsx'

const design = formOf(createPile, updatePile)
const judgement = formOf(judgePile)
const test = formOf(addPileTest)

const optionsOf = (names: Readonly<Record<string, string>>) => Object.entries(names).map(([value, label]) => ({ value, label }))
const refreshed = [listPiles, pileDetail, findPiles]

/** Form of a pile's design: new or corrected. */
export function PileForm({ pile, projectCode, onClose }: { pile: PileEntry | undefined; projectCode: string; onClose: () => void }) {
  return pile ? <ChangedPile pile={pile} onClose={onClose} /> : <NewPile projectCode={projectCode} onClose={onClose} />
}

function NewPile({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const act = useAct(createPile, { success: '桩已登记', refreshes: refreshed })
  return (
    <FormDrawer
      open
      title="登记桩"
      act={act}
      initial={{ kind: 'bored' }}
      onClose={onClose}
      input={(body: Values) => ({ query: { projectCode }, body })}
    >
      <PileFields />
    </FormDrawer>
  )
}

function ChangedPile({ pile, onClose }: { pile: PileEntry; onClose: () => void }) {
  const act = useAct(updatePile, { success: '桩已修改', refreshes: refreshed })
  const { pileNo, kind, axis, diameter, designLength, designDepth, concrete, plannedOn, madeOn, x, y, version, projectCode } = pile
  return (
    <FormDrawer
      open
      title={`修改 ${pileNo}`}
      act={act}
      initial={{ pileNo, kind, axis, diameter, designLength, designDepth, concrete, plannedOn, madeOn, x, y, version }}
      onClose={onClose}
      input={(body: BodyOf<typeof updatePile>) => ({ params: { id: pile.id }, query: { projectCode }, body: { ...body, version } })}
    >
      <PileFields />
    </FormDrawer>
  )
}

function PileFields() {
  return (
    <>
      <design.Field name="pileNo" label="桩号" required help="与桩机上报的桩号一致时，成桩记录自动归入">
        <Input placeholder="如 ZH1-101" />
      </design.Field>
      <design.Field name="kind" label="桩型" required>
        <Choice clear={false} options={optionsOf(pileKinds)} />
      </design.Field>
      <design.Field name="axis" label="轴线位置">
        <Input placeholder="如 3/B 东 1.2 m" />
      </design.Field>
      <design.Field name="x" label="坐标 X（东）" help="以工地原点起算；与 Y 同时填写后，桩位图按坐标绘制">
        <NumberInput unit="m" precision={2} />
      </design.Field>
      <design.Field name="y" label="坐标 Y（北）">
        <NumberInput unit="m" precision={2} />
      </design.Field>
      <design.Field name="diameter" label="桩径">
        <NumberInput unit="mm" precision={0} />
      </design.Field>
      <design.Field name="designLength" label="设计桩长" required>
        <NumberInput unit="m" precision={2} />
      </design.Field>
      <design.Field name="designDepth" label="设计孔深" help="从地面算起；不填以桩长为准">
        <NumberInput unit="m" precision={2} />
      </design.Field>
      <design.Field name="concrete" label="混凝土">
        <Input placeholder="如 C35" />
      </design.Field>
      <design.Field name="plannedOn" label="计划日期">
        <DayInput />
      </design.Field>
      <design.Field name="madeOn" label="成桩日期" help="只在没有桩机记录时填写">
        <DayInput />
      </design.Field>
    </>
  )
}

/** Form of a verdict; the proposal from the data is shown above. */
export function JudgeForm({ pile, onClose }: { pile: PileDetail; onClose: () => void }) {
  const act = useAct(judgePile, { success: '判定已记录', refreshes: refreshed })
  const { verdict, grounds } = pile.proposal
  return (
    <FormDrawer
      open
      narrow
      width={460}
      title={`判定 ${pile.pileNo}`}
      remark={verdict === null ? '没有数据可供建议' : `数据建议：${pileVerdictNames[verdict]}（${grounds.join('；')}）`}
      act={act}
      initial={{ version: pile.version, ...(verdict === null ? {} : { verdict }) }}
      onClose={onClose}
      input={(body: BodyOf<typeof judgePile>) => ({
        params: { id: pile.id },
        query: { projectCode: pile.projectCode },
        body: { ...body, version: pile.version },
      })}
    >
      <judgement.Field name="verdict" label="结论" span="all" required>
        <Radio.Group options={(['1', '2', '0'] as const).map((value) => ({ value, label: pileVerdictNames[value] }))} />
      </judgement.Field>
      <judgement.Field name="reason" label="理由" span="all" required help="与数据建议不同时写明依据；判定记入历史，不能删除">
        <LongText />
      </judgement.Field>
    </FormDrawer>
  )
}

/** Form of a laboratory test. */
export function TestForm({ pile, onClose }: { pile: PileDetail; onClose: () => void }) {
  const act = useAct(addPileTest, { success: '检测结果已录入', refreshes: refreshed })
  return (
    <FormDrawer
      open
      title={`录入检测 ${pile.pileNo}`}
      act={act}
      initial={{ kind: 'lowStrain', testedOn: day(Date.now()), steps: [] }}
      onClose={onClose}
      input={(body: BodyOf<typeof addPileTest>) => ({ params: { id: pile.id }, query: { projectCode: pile.projectCode }, body })}
    >
      <test.Field name="kind" label="检测方法" required>
        <Choice clear={false} options={optionsOf(pileTestKinds)} />
      </test.Field>
      <test.Field name="testedOn" label="检测日期" required>
        <DayInput />
      </test.Field>
      <test.Field name="tester" label="检测单位" required>
        <Input />
      </test.Field>
      <test.Field name="report" label="报告编号">
        <Input />
      </test.Field>
      <ByKind />
      <test.Field name="note" label="说明" span="all">
        <LongText />
      </test.Field>
    </FormDrawer>
  )
}

function ByKind() {
  const kind = test.useValue('kind')
  if (kind !== 'staticLoad')
    return (
      <>
        <test.Field name="integrity" label="桩身完整性" required>
          <Choice options={optionsOf(integrityNames)} />
        </test.Field>
        <test.Field name="waveSpeed" label="波速">
          <NumberInput unit="m/s" precision={0} />
        </test.Field>
      </>
    )
  return (
    <>
      <test.Field name="isPassed" label="承载力" span="all" required>
        <Radio.Group
          options={[
            { value: true, label: '满足' },
            { value: false, label: '不满足' },
          ]}
        />
      </test.Field>
      <test.FieldList name="steps" add="增加一级荷载" max={40}>
        {({ index, name, remove }) => (
          <div className="pile-step">
            <test.Field name={name('0')} label={`第 ${index + 1} 级荷载`} required>
              <NumberInput unit="kN" min={0} />
            </test.Field>
            <test.Field name={name('1')} label="累计沉降" required>
              <NumberInput unit="mm" min={0} precision={2} />
            </test.Field>
            <Button type="text" aria-label={`删除第 ${index + 1} 级荷载`} onClick={remove}>
              删除
            </Button>
          </div>
        )}
      </test.FieldList>
    </>
  )
}
