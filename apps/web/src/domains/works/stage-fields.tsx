import { changeWork, type WorkDetail } from '@zhugong/contract/works/calls'
import { mostFiles, mostPeople } from '@zhugong/contract/works/moves'
import { AutoComplete, Button, Input } from 'antd'
import { Link } from 'react-router'
import { Notice } from '#kit/feedback.tsx'
import { FieldGroup } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, LongText, Choices as Several, Upload } from '#kit/inputs.tsx'
import type { Choices } from './identity-fields.tsx'

const { Field, FieldList } = formOf(changeWork)
const papers = 'image/*,application/pdf'
const mostMb = 100

export function PlanFields() {
  return (
    <FieldGroup title="方案" remark="保存后由施工单位技术负责人在详情页签字，再提交总监审查">
      <Field name="planName" label="专项方案名称">
        <Input maxLength={200} />
      </Field>
      <Field name="planFiles" label="专项施工方案及计算书" span="all">
        <Upload max={mostFiles} accept={papers} maxMb={mostMb} />
      </Field>
    </FieldGroup>
  )
}

export function ReviewFields({ choices }: { choices: Choices }) {
  return (
    <FieldGroup title="论证结论" remark="专家从专家库抽取，结论由专家活动带出，不在此填写">
      {choices.activities.length === 0 && (
        <div className="zg-span-all">
          <Notice tone="warning">
            本项目还没有已录入结论的超规模方案论证。<Link to="/person/expert/list">去抽取专家</Link>，会后在
            <Link to="/person/expert/dailyActivity">专家日常活动</Link>录入结论和论证报告。
          </Notice>
        </div>
      )}
      <Field name="activityId" label="专家论证活动" span="all">
        <Choice
          options={choices.activities.map((one) => ({
            value: one.id,
            label: `${one.date} ${one.title}（${one.code}），签到 ${one.signed} 人，${one.resultName}`,
          }))}
        />
      </Field>
    </FieldGroup>
  )
}

export function ReviseFields({ file }: { file: WorkDetail }) {
  return (
    <FieldGroup title="方案修改" remark="提交后由施工单位技术负责人和总监再次签字">
      <div className="zg-span-all">
        <Notice tone="warning">专家意见：{file.reviewConclusion ?? '见论证报告'}</Notice>
      </div>
      <Field name="note" label="修改说明" span="all">
        <LongText rows={4} maxLength={500} />
      </Field>
      <Field name="planFiles" label="修改后的方案" span="all">
        <Upload max={mostFiles} accept={papers} maxMb={mostMb} />
      </Field>
    </FieldGroup>
  )
}

export function PrepareFields({ choices }: { choices: Choices }) {
  const names = choices.people.map((one) => ({ value: one.name, label: one.post ? `${one.name} · ${one.post}` : one.name }))
  return (
    <>
      <FieldGroup title="方案与安全技术交底" remark="保存后交底人和每名接受交底的人在详情页签字">
        <Field name="disclosureDate" label="交底日期">
          <DayInput max={day(Date.now())} />
        </Field>
        <Field name="discloser" label="交底人">
          <AutoComplete options={names} filterOption />
        </Field>
        <Field name="disclosureText" label="交底内容" span="all">
          <LongText rows={4} maxLength={2000} />
        </Field>
        <FieldList name="receivers" add="添加接受交底的人" max={mostPeople}>
          {({ index, name, remove }) => (
            <div key={index} className="work-people">
              <Field name={name('name')} label="姓名">
                <AutoComplete options={names} filterOption />
              </Field>
              <Field name={name('post')} label="岗位或班组">
                <Input maxLength={50} />
              </Field>
              <Button onClick={remove}>移除</Button>
            </div>
          )}
        </FieldList>
      </FieldGroup>
      <FieldGroup title="现场监督" remark="项目专职安全员现场监督，监理巡视">
        <FieldList name="inspectors" add="添加现场监督人员" max={mostPeople}>
          {({ index, name, remove }) => (
            <div key={index} className="work-people">
              <Field name={name('name')} label="姓名">
                <AutoComplete options={names} filterOption />
              </Field>
              <Field name={name('post')} label="岗位">
                <Choice
                  clear={false}
                  options={[
                    { value: '安全员', label: '安全员' },
                    { value: '监理', label: '监理' },
                  ]}
                />
              </Field>
              <Button onClick={remove}>移除</Button>
            </div>
          )}
        </FieldList>
      </FieldGroup>
      <FieldGroup title="公告牌与警示标志">
        <Field name="warnPhotos" label="现场照片" span="all">
          <Upload max={mostFiles} camera="environment" />
        </Field>
      </FieldGroup>
    </>
  )
}

export function MonitorFields({ file, choices }: { file: WorkDetail; choices: Choices }) {
  return (
    <FieldGroup title="监测" remark={file.needsMonitor ? '本类别须由第三方监测' : '本类别不要求第三方监测'}>
      <Field name="monitorOrg" label="第三方监测单位" required={file.needsMonitor}>
        <Input maxLength={100} />
      </Field>
      <Field name="deviceIds" label="关联监测设备" span="all">
        <Several options={choices.devices.map((one) => ({ value: one.id, label: `${one.name}（${one.familyName}）` }))} />
      </Field>
      <Field name="monitorFiles" label="监测方案" span="all" required={file.needsMonitor}>
        <Upload max={mostFiles} accept={papers} maxMb={mostMb} />
      </Field>
    </FieldGroup>
  )
}

export function AcceptFields() {
  return (
    <FieldGroup title="验收" remark="保存后由项目技术负责人和总监在详情页签字">
      <Field name="acceptDate" label="验收日期">
        <DayInput max={day(Date.now())} />
      </Field>
      <Field name="acceptPhotos" label="验收标识牌照片" span="all">
        <Upload max={mostFiles} camera="environment" />
      </Field>
    </FieldGroup>
  )
}
