// Trigonometric and hyperbolic functions of float8, in radians and in degrees. Those in degrees are exact where the mathematical
// result is: sind(30) is 0.5, and the functions are tied to that value.
#include <cmath>

#include "sql/func/number_loop.h"

namespace mayfly::func {

namespace {

[[noreturn]] void ThrowInputOutOfRange() { Throw(SqlError::Make(kNumericValueOutOfRange, "input is out of range")); }

template <typename Body>
void AngleKernel(const KernelCall& call, Body body) {
  MapNumber<double, double>(call, [body](double a) {
    if (std::isinf(a)) ThrowInputOutOfRange();
    return std::isnan(a) ? a : body(a);
  });
}

// Inverse functions take [-1, 1].
template <typename Body>
void RatioKernel(const KernelCall& call, Body body) {
  MapNumber<double, double>(call, [body](double a) {
    if (a < -1 || a > 1) ThrowInputOutOfRange();
    return std::isnan(a) ? a : body(a);
  });
}

template <typename Body>
void PlainKernel(const KernelCall& call, Body body) {
  MapNumber<double, double>(call, body);
}

constexpr double kRadiansPerDegree = 0.0174532925199432957692;

// The values at the angles where results must be exact, as this machine computes them; others are scaled by them. Computed at run
// time, so that both sides of a division come from the same library function.
struct DegreeConstants {
  double sin_30 = std::sin(Opaque(30.0) * kRadiansPerDegree);
  double one_minus_cos_60 = 1.0 - std::cos(Opaque(60.0) * kRadiansPerDegree);
  double asin_05 = std::asin(Opaque(0.5));
  double acos_05 = std::acos(Opaque(0.5));
  double atan_1 = std::atan(Opaque(1.0));

  static double Opaque(double value) {
    asm("" : "+m"(value));
    return value;
  }
};
const DegreeConstants& Constants() {
  static const DegreeConstants kConstants;
  return kConstants;
}

// Of 0 to 30 degrees, scaled so that sin 30 is 0.5.
double SinTo30(double x) { return std::sin(x * kRadiansPerDegree) / Constants().sin_30 / 2.0; }
// Of 0 to 60 degrees, scaled so that cos 60 is 0.5.
double CosTo60(double x) { return 1.0 - (1.0 - std::cos(x * kRadiansPerDegree)) / Constants().one_minus_cos_60 / 2.0; }
double SinTo90(double x) { return x <= 30 ? SinTo30(x) : CosTo60(90.0 - x); }
double CosTo90(double x) { return x <= 60 ? CosTo60(x) : SinTo30(90.0 - x); }

double SinDegrees(double x) {
  x = std::fmod(x, 360.0);
  int sign = 1;
  if (x < 0) {
    x = -x;
    sign = -sign;
  }
  if (x > 180) {
    x = 360.0 - x;
    sign = -sign;
  }
  if (x > 90) x = 180.0 - x;
  return sign * SinTo90(x);
}

double CosDegrees(double x) {
  x = std::fabs(std::fmod(x, 360.0));
  int sign = 1;
  if (x > 180) x = 360.0 - x;
  if (x > 90) {
    x = 180.0 - x;
    sign = -sign;
  }
  return sign * CosTo90(x);
}

// The angle in 0 to 90 degrees with the same tangent up to the sign given back.
double ToFirstQuadrant(double x, int& sign) {
  x = std::fmod(x, 360.0);
  sign = 1;
  if (x < 0) {
    x = -x;
    sign = -sign;
  }
  if (x > 180) {
    x = 360.0 - x;
    sign = -sign;
  }
  if (x > 90) {
    x = 180.0 - x;
    sign = -sign;
  }
  return x;
}
double PlusZero(double value) { return value == 0 ? 0.0 : value; }

double TanDegrees(double x) {
  static const double kTan45 = SinTo90(45.0) / CosTo90(45.0);
  int sign;
  x = ToFirstQuadrant(x, sign);
  return PlusZero(sign * (SinTo90(x) / CosTo90(x) / kTan45));
}
double CotDegrees(double x) {
  static const double kCot45 = CosTo90(45.0) / SinTo90(45.0);
  int sign;
  x = ToFirstQuadrant(x, sign);
  return PlusZero(sign * (CosTo90(x) / SinTo90(x) / kCot45));
}

double AsinTo1(double x) {
  if (x <= 0.5) return std::asin(x) / Constants().asin_05 * 30.0;
  return 90.0 - std::acos(x) / Constants().acos_05 * 60.0;
}
double AcosTo1(double x) {
  if (x <= 0.5) return 90.0 - std::asin(x) / Constants().asin_05 * 30.0;
  return std::acos(x) / Constants().acos_05 * 60.0;
}

double Atanh(double a) {
  if (a < -1 || a > 1) ThrowInputOutOfRange();
  return std::atanh(a);
}
double Acosh(double a) {
  if (a < 1) ThrowInputOutOfRange();
  return std::acosh(a);
}

}  // namespace

void Dsin(const KernelCall& call) {
  AngleKernel(call, [](double a) { return std::sin(a); });
}
void Dcos(const KernelCall& call) {
  AngleKernel(call, [](double a) { return std::cos(a); });
}
void Dtan(const KernelCall& call) {
  AngleKernel(call, [](double a) { return std::tan(a); });
}
void Dcot(const KernelCall& call) {
  AngleKernel(call, [](double a) { return 1.0 / std::tan(a); });
}
void Dasin(const KernelCall& call) {
  RatioKernel(call, [](double a) { return std::asin(a); });
}
void Dacos(const KernelCall& call) {
  RatioKernel(call, [](double a) { return std::acos(a); });
}
void Datan(const KernelCall& call) {
  PlainKernel(call, [](double a) { return std::atan(a); });
}
void Datan2(const KernelCall& call) {
  MapNumbers<double, double, double>(call, [](double a, double b) { return std::atan2(a, b); });
}

void Dsind(const KernelCall& call) { AngleKernel(call, SinDegrees); }
void Dcosd(const KernelCall& call) { AngleKernel(call, CosDegrees); }
void Dtand(const KernelCall& call) { AngleKernel(call, TanDegrees); }
void Dcotd(const KernelCall& call) { AngleKernel(call, CotDegrees); }
void Dasind(const KernelCall& call) {
  RatioKernel(call, [](double a) { return a >= 0 ? AsinTo1(a) : -AsinTo1(-a); });
}
void Dacosd(const KernelCall& call) {
  RatioKernel(call, [](double a) { return a >= 0 ? AcosTo1(a) : 90.0 + AsinTo1(-a); });
}
void Datand(const KernelCall& call) {
  PlainKernel(call, [](double a) { return std::atan(a) / Constants().atan_1 * 45.0; });
}
void Datan2d(const KernelCall& call) {
  MapNumbers<double, double, double>(call, [](double a, double b) { return std::atan2(a, b) / Constants().atan_1 * 45.0; });
}

void Dsinh(const KernelCall& call) {
  PlainKernel(call, [](double a) { return std::sinh(a); });
}
void Dcosh(const KernelCall& call) {
  PlainKernel(call, [](double a) { return std::cosh(a); });
}
void Dtanh(const KernelCall& call) {
  PlainKernel(call, [](double a) { return std::tanh(a); });
}
void Dasinh(const KernelCall& call) {
  PlainKernel(call, [](double a) { return std::asinh(a); });
}
void Dacosh(const KernelCall& call) { PlainKernel(call, Acosh); }
void Datanh(const KernelCall& call) { PlainKernel(call, Atanh); }

}  // namespace mayfly::func
