import { type connectionTypes, createGateway, getGateway, pollTypes, updateGateway } from '@zhugong/contract/equipment/gateway-endpoints'
import { Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Card } from '#kit/feedback.tsx'
import { DependentFields, FieldGroup, FormPage } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, LongText, NumberInput } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { connectionOptions } from './gateway-words.ts'
import { ProjectChoice } from './project-choice.tsx'
import { SecretPanel } from './secret-panel.tsx'

const { Field, useValue } = formOf(createGateway, updateGateway)

/** Creates a gateway, or changes one (`?id=`). */
export default function GatewayForm() {
  const id = usePageQuery().get('id') ?? ''
  const projectCode = useProjectCode()
  const page = usePage()
  const [made, setMade] = useState<{ id: string; secret: string }>()
  const known = useCall(getGateway, { params: { id } }, { enabled: id !== '', staleMs: 0 })
  const create = useAct(createGateway, { success: '网关已新增', onDone: setMade })
  const change = useAct(updateGateway, { onDone: () => page.leave(hrefOf('/gateway/details', { id })) })
  if (made) return <SecretPanel id={made.id} secret={made.secret} title="网关已新增" />
  const gateway = known.data
  const fields = (
    <>
      <FieldGroup title="基本">
        <Field name="name" label="网关名称" required>
          <Input placeholder="如 塔机区网关" />
        </Field>
        <Field name="code" label="网关编号" help="字母、数字、下划线和短横线，可不填">
          <Input />
        </Field>
        <Field name="projectCode" label="项目" required>
          <ProjectChoice isFixed={projectCode !== '*' || (gateway?.devices ?? 0) > 0} />
        </Field>
      </FieldGroup>
      <FieldGroup
        title="接入"
        remark={gateway && gateway.devices > 0 ? `下挂 ${gateway.devices} 台设备，不能更改接入方式和项目` : undefined}
      >
        <Field name="connectionType" label="接入方式" required>
          <Choice clear={false} disabled={Boolean(gateway && gateway.devices > 0)} options={connectionOptions} />
        </Field>
        <TypeWords />
        <PollFields />
      </FieldGroup>
      <FieldGroup title="其他">
        <Field name="remark" label="备注" span="all">
          <LongText />
        </Field>
      </FieldGroup>
    </>
  )
  const aside = (
    <Card title="保存之后">
      <p className="zg-2">
        {id
          ? '修改名称、编号和备注不影响正在使用的连接。更换密钥在网关详情中进行。'
          : '显示一次密钥、客户端编号、主题和一行可直接运行的 mosquitto_pub 命令。'}
      </p>
    </Card>
  )
  return id ? (
    <FormPage
      title="编辑网关"
      remark={gateway?.name}
      loading={!gateway}
      act={change}
      initial={{
        name: gateway?.name,
        code: gateway?.code ?? '',
        projectCode: gateway?.projectCode,
        connectionType: gateway?.connectionType,
        poll: gateway?.poll
          ? {
              host: gateway.poll.host,
              port: gateway.poll.port,
              intervalSeconds: gateway.poll.intervalSeconds,
              timeoutMs: gateway.poll.timeoutMs,
            }
          : undefined,
        remark: gateway?.remark ?? '',
      }}
      aside={aside}
      input={(values: Record<string, unknown>) => ({ params: { id }, body: { ...values, version: gateway?.version } })}
    >
      {fields}
    </FormPage>
  ) : (
    <FormPage
      title="新增网关"
      act={create}
      initial={{
        connectionType: 'mqtt' satisfies keyof typeof connectionTypes,
        projectCode: projectCode === '*' ? undefined : projectCode,
      }}
      aside={aside}
    >
      {fields}
    </FormPage>
  )
}

/** Address of a gateway that is polled. */
function PollFields() {
  const type = useValue('connectionType')
  if (!pollTypes.some((one) => one === type)) return null
  return (
    <DependentFields why="平台按间隔主动询问：填写网关或透传模块的地址；设备在登记时填从站号或表号">
      <Field name="poll.host" label="地址" required>
        <Input placeholder="域名或 IP" />
      </Field>
      <Field name="poll.port" label="端口" required>
        <NumberInput min={1} max={65_535} precision={0} />
      </Field>
      <Field name="poll.intervalSeconds" label="轮询间隔" initial={60}>
        <NumberInput unit="秒" min={1} max={86_400} />
      </Field>
      <Field name="poll.timeoutMs" label="超时" initial={3000}>
        <NumberInput unit="毫秒" min={200} max={60_000} precision={0} />
      </Field>
    </DependentFields>
  )
}

function TypeWords() {
  const type = useValue('connectionType')
  if (pollTypes.some((one) => one === type)) return null
  return (
    <p className="zg-2 zg-span-2 eq-beside">
      {type === 'mqttPlain'
        ? '密码就是密钥，适合不能计算签名的老网关；密钥会随每次连接在网络上传输，建议只在专线内使用。'
        : '密码由密钥对客户端编号和时间签名得出，五分钟内有效；密钥不在网络上传输。'}
    </p>
  )
}
