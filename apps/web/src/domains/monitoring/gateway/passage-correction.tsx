import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { coverNames, directionNames, vehicleTypeNames, washNames } from '@zhugong/contract/monitoring/gateway/passage-codes'
import type { getPassage } from '@zhugong/contract/monitoring/gateway/passages'
import { correctPassage } from '@zhugong/contract/monitoring/record-fixes'
import { Input } from 'antd'
import { useAct } from '#kit/call.ts'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, LongText } from '#kit/inputs.tsx'
import { Thumb } from '#kit/viewers.tsx'

const { Field } = formOf(correctPassage)

type Passage = OutputFor<typeof getPassage>
const optionsOf = (names: Readonly<Record<string, string>>) => Object.entries(names).map(([value, label]) => ({ value, label }))
/** An unread plate is not prefilled. */
const unread = '未识别'

/** Corrects a camera's misreading beside its picture; pairs, stays and shares follow the corrected values. */
export function PassageCorrection({ passage, open, onClose }: { passage: Passage; open: boolean; onClose: () => void }) {
  const act = useAct(correctPassage, { success: '已更正，配对、在场与比率按更正后的值重新统计' })
  return (
    <FormDrawer
      open={open}
      onClose={onClose}
      act={act}
      title="更正出入记录"
      remark={passage.plateNo}
      initial={{
        plateNo: passage.plateNo === unread ? undefined : passage.plateNo,
        direction: passage.direction,
        vehicleType: passage.vehicleType ?? undefined,
        washState: passage.washState ?? undefined,
        coverState: passage.coverState ?? undefined,
        version: passage.version,
      }}
      input={(body: BodyOf<typeof correctPassage>) => ({
        params: { id: passage.id },
        query: { projectCode: passage.projectCode },
        body: { ...body, version: passage.version },
      })}
    >
      <div className="zg-span-all fam-acts">
        <Thumb src={passage.photo} name="车头照" width={240} height={150} />
        <Thumb src={passage.platePhoto} name="车牌照" width={200} height={80} />
      </div>
      <Field name="plateNo" label="车牌" help="按照片核对后填写">
        <Input placeholder="如 鄂A12345" />
      </Field>
      <Field name="direction" label="方向">
        <Choice options={optionsOf(directionNames)} />
      </Field>
      <Field name="vehicleType" label="车型">
        <Choice options={optionsOf(vehicleTypeNames)} />
      </Field>
      <Field name="washState" label="冲洗">
        <Choice options={optionsOf(washNames)} />
      </Field>
      <Field name="coverState" label="密闭">
        <Choice options={optionsOf(coverNames)} />
      </Field>
      <Field name="reason" label="更正原因" span="all" help="写入更正记录，原值保留">
        <LongText />
      </Field>
    </FormDrawer>
  )
}
