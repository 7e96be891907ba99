#include "peer.h"

#ifdef REPOSE_WITH_BOX2D
#include <box2d/box2d.h>
#endif

namespace repose::mechanism {

#ifdef REPOSE_WITH_BOX2D

namespace {

b2Vec2 vec(const Vec2& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y())};
}
Vec2 vec(const b2Vec2& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y)};
}

class Box2dMachine final : public PeerMachine {
 public:
  Box2dMachine(const Model& model, const Box2dSetting& setting)
      : model_(model), setting_(setting), world_(b2Vec2(0.0F, -10.0F)) {
    b2BodyDef still;
    ground_ = world_.CreateBody(&still);
    for (const ModelBody& body : model.bodies) add(body);
    for (const ModelJoint& joint : model.joints) add(joint);
  }

  void step(double time) override {
    if (model_.drive) lead_hand(time);
    world_.Step(static_cast<float>(setting_.step), setting_.velocity_iterations,
                setting_.position_iterations);
  }

  std::vector<Place> places() const override {
    std::vector<Place> out;
    for (const b2Body* b : bodies_)
      out.push_back({vec(b->GetPosition()), static_cast<double>(b->GetAngle()),
                     vec(b->GetLinearVelocity()), static_cast<double>(b->GetAngularVelocity())});
    return out;
  }

 private:
  void add(const ModelBody& body) {
    b2BodyDef def;
    def.type = body.fixed ? b2_staticBody : b2_dynamicBody;
    def.position = vec(body.at);
    def.angle = static_cast<float>(body.turn);
    def.allowSleep = setting_.sleeps;
    b2Body* made = world_.CreateBody(&def);
    for (const auto& polygon : body.convex) {
      b2PolygonShape shape;
      std::vector<b2Vec2> points;
      for (const Vec2& p : polygon) points.push_back(vec(p));
      shape.Set(points.data(), static_cast<int>(points.size()));
      b2FixtureDef fixture;
      fixture.shape = &shape;
      fixture.density = 1.0F;
      fixture.friction = static_cast<float>(body.friction);
      fixture.filter.categoryBits =
          static_cast<std::uint16_t>(1U << static_cast<unsigned>(body.layer));
      fixture.filter.maskBits =
          body.collides ? fixture.filter.categoryBits : static_cast<std::uint16_t>(0);
      made->CreateFixture(&fixture);
    }
    bodies_.push_back(made);
  }

  void add(const ModelJoint& joint) {
    b2Body* a = bodies_[static_cast<std::size_t>(joint.a)];
    b2Body* b = joint.b < 0 ? ground_ : bodies_[static_cast<std::size_t>(joint.b)];
    const b2Vec2 at = a->GetWorldPoint(vec(joint.point_a));
    if (joint.slider) {
      b2PrismaticJointDef def;
      def.Initialize(b, a, at, b2Vec2(1.0F, 0.0F));
      world_.CreateJoint(&def);
      return;
    }
    b2RevoluteJointDef def;
    def.Initialize(b, a, at);
    if (joint.motor_speed != 0.0) {
      def.enableMotor = true;
      def.motorSpeed = static_cast<float>(joint.motor_speed);
      def.maxMotorTorque = 1e6F;
    }
    world_.CreateJoint(&def);
  }

  void lead_hand(double time) {
    b2Body* crank = bodies_[static_cast<std::size_t>(model_.driven)];
    const b2Vec2 at = crank->GetWorldPoint(vec(model_.grip));
    const b2Vec2 v = crank->GetLinearVelocityFromWorldPoint(at);
    const Vec2 force = model_.stiffness * (model_.drive(time) - vec(at)) - model_.damping * vec(v);
    crank->ApplyForce(vec(force), at, true);
  }

  const Model& model_;
  Box2dSetting setting_;
  b2World world_;
  std::vector<b2Body*> bodies_;
  b2Body* ground_ = nullptr;
};

}  // namespace

std::unique_ptr<PeerMachine> make_box2d(const Model& model, const Box2dSetting& setting) {
  return std::make_unique<Box2dMachine>(model, setting);
}

#else

std::unique_ptr<PeerMachine> make_box2d(const Model&, const Box2dSetting&) {
  return nullptr;
}

#endif

}  // namespace repose::mechanism
