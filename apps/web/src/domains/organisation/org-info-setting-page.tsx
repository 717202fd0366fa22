import { restDays } from '@zhugong/contract/kit/rest-days'
import { type GroupInfo, getGroupInfo, groupInfoNames, inheritedInfo, saveGroupInfo } from '@zhugong/contract/organisation/group-info'
import { mapType, mapTypeNames } from '@zhugong/contract/organisation/map-type'
import { Button, Input } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { FieldGroup, useFormInstance } from '#kit/form.tsx'
import { fieldsOf } from '#kit/form-of.ts'
import { DayInput, LongText } from '#kit/inputs.tsx'
import { reload } from '#kit/me.ts'
import { differencesOf, SettingsForm } from '#kit/settings-shell.tsx'
import { restWords } from '../attendance/public.tsx'
import { CalendarInput, MapTypeInput } from './group-choices.tsx'
import './organisation.css'

const { Field, useValue } = fieldsOf<GroupInfo>()

type Part = (typeof inheritedInfo)[number]

/** Contact, notices and other information for the members of the group. */
export default function OrgInfoSettingPage() {
  const { data, error, refetch } = useCall(getGroupInfo, {}, { quiet: true, staleMs: 0 })
  const may = useCan(saveGroupInfo)
  const act = useAct(saveGroupInfo, { success: '已保存，本组人员刷新后看到', onDone: () => void reload() })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  const above = (part: Part) => data?.above[part]
  const help = (part: Part) => {
    const upper = above(part)
    return upper ? `留空则用 ${upper.fromName} 的：${upper.value}` : '留空则不显示'
  }
  const missing = data && !data.own.servicePhone && !data.above.servicePhone
  return (
    <SettingsForm
      key={data?.version}
      act={act}
      loading={!data}
      initial={data?.own}
      title="机构信息设置"
      remark="页头的帮助、无权访问的提示和首页通知由此而来；登记信息在企业信息、机构信息中"
      input={(body) => ({
        // The form leaves out inherited values; the API expects null for them.
        body: { ...body, mapType: body.mapType ?? null, calendar: body.calendar ?? null, version: data?.version ?? 0 },
      })}
      last={data && { by: data.updateBy, at: data.updateTime }}
      lock={may ? undefined : '没有组织设置的权限，此处只供查看'}
      differences={(values) =>
        data ? differencesOf<GroupInfo>(data.own, { ...data.own, mapType: null, calendar: null, ...values }, groupInfoNames, words) : []
      }
      aside={<Preview above={(part) => above(part)?.value} />}
    >
      {missing && <Notice tone="warning">没有服务电话：遇到问题的人不知道找谁，请填写</Notice>}
      <FieldGroup title="联系" actions={may && <Restore />}>
        <Field name="contact" label="联系人" help={help('contact')}>
          <Input />
        </Field>
        <Field name="servicePhone" label="服务电话" help={help('servicePhone')}>
          <Input />
        </Field>
        <Field name="dutyPhone" label="值班电话" help={help('dutyPhone')}>
          <Input />
        </Field>
        <Field name="officeHours" label="办公时间" help={help('officeHours')}>
          <Input placeholder="工作日 8:30-17:30" />
        </Field>
        <Field name="address" label="地址" span="all">
          <Input />
        </Field>
        <Field name="helpDoc" label="帮助文档" span="all" help={help('helpDoc')}>
          <Input placeholder="https://" />
        </Field>
      </FieldGroup>
      <FieldGroup title="简介与通知">
        <Field name="introduction" label="简介" span="all">
          <LongText rows={3} />
        </Field>
        <Field name="notice" label="首页通知" span="all" help="只有本组的人看到，纯文字">
          <LongText rows={2} />
        </Field>
        <Field name="noticeUntil" label="显示到">
          <DayInput />
        </Field>
      </FieldGroup>
      <FieldGroup title="地图与日历">
        <Field
          name="mapType"
          label="地图类型"
          span="all"
          help={
            data?.hasTiles
              ? '模块地图只画工地平面图与网格，不连外部底图；世界地图用平台配置的底图'
              : '模块地图只画工地平面图与网格；平台未配置底图服务，世界地图以经纬网显示'
          }
        >
          <MapTypeInput above={data?.mapTypeAbove} />
        </Field>
        <Field
          name="calendar"
          label="工作日历（节假日）"
          span="all"
          help="报表推送遇休息日、下级工地取用日历时按此；平台的日历还用于法定工作日期限。已有考勤不随之重算"
        >
          <CalendarInput above={data?.calendarAbove} />
        </Field>
      </FieldGroup>
    </SettingsForm>
  )
}

/** A value in words; inherited values are 沿用上级. */
function words(value: unknown, key: keyof GroupInfo & string): string {
  if (key === 'mapType') {
    const own = mapType.safeParse(value)
    return own.success ? mapTypeNames[own.data] : '沿用上级'
  }
  if (key === 'calendar') {
    const own = restDays.safeParse(value)
    return own.success ? restWords(own.data) : '沿用上级'
  }
  return typeof value === 'string' && value !== '' ? value : '无'
}

/** Clears the fields that can be inherited. */
function Restore() {
  const form = useFormInstance()
  return (
    <Button
      size="small"
      onClick={() =>
        form.setFieldsValue({ ...Object.fromEntries(inheritedInfo.map((part) => [part, null])), mapType: null, calendar: null })
      }
    >
      恢复为上级的
    </Button>
  )
}

function Preview({ above }: { above: (part: Part) => string | undefined }) {
  const contact = useValue('contact') || above('contact')
  const phone = useValue('servicePhone') || above('servicePhone')
  const duty = useValue('dutyPhone') || above('dutyPhone')
  const hours = useValue('officeHours') || above('officeHours')
  const notice = useValue('notice')
  return (
    <Card title="预览">
      {notice ? <Notice tone="info">{notice}</Notice> : <p className="zg-2">没有首页通知</p>}
      <p>遇到问题可联系 {contact || '本组管理员'}</p>
      <p>服务电话 {phone || '--'}</p>
      <p>值班电话 {duty || '--'}</p>
      <p className="zg-2">{hours}</p>
    </Card>
  )
}
