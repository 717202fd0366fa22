import { dockingType } from '@zhugong/contract/equipment/codes'
import { createDocking, type getDocking, updateDocking } from '@zhugong/contract/equipment/docking-endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { Input } from 'antd'
import { DependentFields, FieldGroup } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, DayInput, LongText, NumberInput } from '#kit/inputs.tsx'
import { MappingInput } from './docking-mapping.tsx'
import { Matches } from './docking-matches.tsx'
import { PushGuide } from './docking-push.tsx'
import { Trial } from './docking-trial.tsx'
import { dockingAuthOptions, dockingTypeOptions } from './docking-words.tsx'

const { Field, useValue } = formOf(createDocking, updateDocking)

export function Fields({ docking }: { docking: OutputFor<typeof getDocking> | undefined }) {
  const type = useValue('connType')
  const auth = useValue('authKind')
  return (
    <>
      <FieldGroup title="基本">
        <Field name="name" label="对接名称" required>
          <Input placeholder="如 楚电云电表平台" />
        </Field>
        <Field name="vendor" label="厂商" required>
          <Input />
        </Field>
        <Field name="connType" label="接入方式" required>
          <Choice clear={false} options={dockingTypeOptions} />
        </Field>
        <Field name="remark" label="备注" span="all">
          <LongText />
        </Field>
      </FieldGroup>
      {type === dockingType.pull ? (
        <>
          <FieldGroup title="鉴权" remark={docking?.hasSecret ? '密钥已保存，不再显示；不填则不变' : undefined}>
            <Field name="authKind" label="鉴权方式">
              <Choice clear={false} options={dockingAuthOptions} />
            </Field>
            {(auth === 'header' || auth === 'query') && (
              <Field name="authName" label={auth === 'header' ? '请求头名' : '参数名'}>
                <Input placeholder={auth === 'header' ? 'authorization' : 'token'} />
              </Field>
            )}
            {auth !== 'none' && (
              <Field name="authSecret" label="密钥">
                <Input.Password autoComplete="new-password" />
              </Field>
            )}
            <Field name="tokenExpire" label="凭证到期">
              <DayInput />
            </Field>
          </FieldGroup>
          <FieldGroup title="接口">
            <Field name="endpoint" label="接口地址" span={2} help="不允许内网与本机地址，除非部署放行">
              <Input placeholder="https://" />
            </Field>
            <Field name="httpMethod" label="方法">
              <Choice
                clear={false}
                options={[
                  { value: 'GET', label: 'GET' },
                  { value: 'POST', label: 'POST' },
                ]}
              />
            </Field>
            <Field name="scheduleMinutes" label="拉取间隔">
              <NumberInput unit="分钟" min={1} max={1440} precision={0} />
            </Field>
          </FieldGroup>
        </>
      ) : (
        <FieldGroup title="推送">
          <DependentFields why={docking ? '对方按下面的方式推送' : '保存后给出推送地址与密钥，密钥只显示一次'}>
            <div className="zg-span-all zg-below-12">{docking && <PushGuide id={docking.id} />}</div>
          </DependentFields>
        </FieldGroup>
      )}
      <FieldGroup title="样例" remark="粘贴对方返回或推送的 JSON；解析不存储任何数据">
        <Field name="sample" span="all">
          <LongText rows={6} />
        </Field>
        <Trial docking={docking} />
      </FieldGroup>
      <FieldGroup title="字段映射" remark="在样例中解析后，点字段即可填入">
        <Field name="mapping" span="all">
          <MappingInput />
        </Field>
      </FieldGroup>
      <FieldGroup title="型号映射" remark="对方的型号名 → 平台型号">
        <Field name="modelMatch" span="all">
          <Matches kind="model" open={docking?.openModels ?? []} />
        </Field>
      </FieldGroup>
      <FieldGroup title="项目映射" remark="对方的项目名 → 平台项目">
        <Field name="projectMatch" span="all">
          <Matches kind="project" open={docking?.openProjects ?? []} />
        </Field>
      </FieldGroup>
    </>
  )
}
