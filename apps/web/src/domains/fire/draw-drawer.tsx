import { drawFires, type FireRow } from '@zhugong/contract/fire/calls'
import { Input } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { NumberInput } from '#kit/inputs.tsx'
import { uid } from '#kit/uid.ts'
import { anyProject } from './fire-words.tsx'

const { Field, FieldList } = formOf(drawFires)
const usualRatio = 20

/** Draws among accepted 备案. Who is not drawn ends by the papers. */
export function DrawDrawer({ rows, onClose }: { rows: readonly FireRow[]; onClose: () => void }) {
  const [id] = useState(uid)
  const act = useAct(drawFires, { success: (done) => `抽中 ${done.drawn} 件，${done.left} 件按资料办结` })
  return (
    <FormDrawer
      act={act}
      open
      narrow
      title="随机抽取"
      remark={`${rows.length} 件备案`}
      saveText="冻结名单并抽取"
      onClose={onClose}
      initial={{ id, ratio: usualRatio, witnesses: [{}], cases: rows.map(({ id: caseId, version }) => ({ id: caseId, version })) }}
      input={(body) => ({
        query: anyProject,
        body: { ...body, id, cases: rows.map(({ id: caseId, version }) => ({ id: caseId, version })) },
      })}
    >
      <Field name="ratio" label="抽取比例" span="all" help="至少抽中 1 件；名单、种子与结果留存，任何人可复核">
        <NumberInput unit="%" min={1} max={100} />
      </Field>
      <FieldList name="witnesses" add="加见证人" max={5}>
        {({ name }) => (
          <div className="zg-fields">
            <Field name={name('name')} label="见证人">
              <Input />
            </Field>
            <Field name={name('digits')} label="见证数字" help="1 至 6 位，由见证人报出">
              <Input />
            </Field>
          </div>
        )}
      </FieldList>
    </FormDrawer>
  )
}
